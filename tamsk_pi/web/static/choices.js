// Choices that both pages offer.

import { chosenLanguage, languages, say, speak, spoken } from "./text.js";

// A choice among the languages, each by its own name.
export function chooseLanguage(select) {
  const fill = () => {
    select.replaceChildren(new Option(say("language.auto"), ""), ...Object.entries(languages).map(([code, name]) => new Option(name, code)));
    select.value = chosenLanguage();
  };
  fill();
  spoken.addEventListener("change", fill);
  select.addEventListener("change", () => speak(select.value));
}
