// Small helpers over the document.

/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

/**
 * An element with its properties; `data` is its dataset, names with "aria-" and `role` are attributes.
 * @param {string} name
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(name, properties = {}, ...children) {
  /** @type {any} */
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "data") Object.assign(node.dataset, value);
    else if (key.startsWith("aria-") || key === "role") node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children);
  return node;
}

/** @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Asks before what cannot be undone by a click: true where it is to be done.
 * @param {string} text @param {string} yes
 * @returns {Promise<boolean>}
 */
export function sure(text, yes) {
  const dialog = byId("sure-dialog");
  setText(byId("sure-text"), text);
  setText(byId("sure-yes"), yes);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

let gone = 0;
/** Says something for a moment. @param {string} text @param {number} [ms] */
export function toast(text, ms = 5000) {
  const node = byId("toast");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(gone);
  gone = setTimeout(() => (node.hidden = true), ms);
}
