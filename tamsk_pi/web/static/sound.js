// Tones like the box's buzzer, and spoken rulings. Silent until it is allowed.

const SOFT_MS = 4;
const LOUDEST = 0.25;

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {OscillatorNode | null} */
  #playing = null;
  on = false;
  speaks = localStorage.getItem("speaks") === "yes";
  volume = Number(localStorage.getItem("volume") ?? 60);

  // Browsers let a page sound only after a gesture; this is called from one.
  allow(on) {
    this.on = on;
    if (on && !this.#context) this.#context = new AudioContext();
    if (on) this.#context.resume();
    else this.stop();
  }

  setVolume(volume) {
    this.volume = volume;
    localStorage.setItem("volume", volume);
  }

  setSpeaks(speaks) {
    this.speaks = speaks;
    localStorage.setItem("speaks", speaks ? "yes" : "no");
    if (!speaks) globalThis.speechSynthesis?.cancel();
  }

  stop() {
    this.#playing?.stop();
    this.#playing = null;
  }

  // Tones as pairs of Hz and ms, one after the other, instead of what sounds now. 0 Hz is a rest.
  play(tones) {
    this.stop();
    if (!this.on || !tones.length) return;
    const context = this.#context;
    const oscillator = new OscillatorNode(context, { type: "square" });
    const loudness = new GainNode(context, { gain: 0 });
    const loud = LOUDEST * (this.volume / 100) ** 2;
    let at = context.currentTime + 0.01;
    for (const [hz, ms] of tones) {
      const end = at + ms / 1000;
      if (hz > 0) {
        oscillator.frequency.setValueAtTime(hz, at);
        loudness.gain.setValueAtTime(0, at);
        loudness.gain.linearRampToValueAtTime(loud, at + SOFT_MS / 1000);
        loudness.gain.setValueAtTime(loud, Math.max(at + SOFT_MS / 1000, end - SOFT_MS / 1000));
        loudness.gain.linearRampToValueAtTime(0, end);
      }
      at = end;
    }
    oscillator.connect(loudness).connect(context.destination);
    oscillator.start();
    oscillator.stop(at);
    this.#playing = oscillator;
  }

  speak(text) {
    if (!this.on || !this.speaks || !globalThis.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    words.volume = this.volume / 100;
    globalThis.speechSynthesis.speak(words);
  }
}
