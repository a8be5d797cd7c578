// Every text of the page that is not a ruling's, by key, in the language of whoever looks. They come from the server,
// which has them from the same catalogues as the rulings' words.

const FIRST_WAIT_MS = 500, LONGEST_WAIT_MS = 4000;
const KEPT = "language";

/** @type {Record<string, string | Record<string, string>>} */
let texts = {};
/** @type {Intl.PluralRules | null} */
let plurals = null;

export const spoken = new EventTarget(); // tells "change" when another language is spoken
export let language = "";
export let languages = {}; // the name that each language has for itself

// The language that was chosen here, or none: then it is the browser's.
export const chosenLanguage = () => localStorage.getItem(KEPT) ?? "";

async function fetchTexts() {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      const answer = await fetch(`/texts/${chosenLanguage() || "auto"}`);
      if (answer.ok) return await answer.json();
      if (answer.status === 404) localStorage.removeItem(KEPT);
    } catch {
      // No server: there is nothing to be shown without one, so it is asked again.
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

export async function loadTexts() {
  const got = await fetchTexts();
  ({ texts, language, languages } = got);
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  document.title = say(document.documentElement.dataset.title);
  sayAll(document);
}

export async function speak(wanted) {
  if (wanted) localStorage.setItem(KEPT, wanted);
  else localStorage.removeItem(KEPT);
  await loadTexts();
  spoken.dispatchEvent(new Event("change"));
}

export function say(key, values = {}) {
  let text = texts[key];
  if (text === undefined) return key;
  if (typeof text !== "string") text = text[plurals.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

// Fills in the texts of the document: data-say is the content, data-say-label the name for screen readers.
export function sayAll(root) {
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of root.querySelectorAll("[data-say-label]")) node.setAttribute("aria-label", say(node.dataset.sayLabel));
  for (const node of root.querySelectorAll("[data-say-alt]")) node.alt = say(node.dataset.sayAlt);
}

export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
