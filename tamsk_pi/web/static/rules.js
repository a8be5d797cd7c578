// The page of the rules: its texts are those of the catalogues.

import { loadTexts } from "./text.js";

document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
await loadTexts();
document.body.dataset.version = "1";
