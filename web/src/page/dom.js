// Makes elements: h for HTML, s for SVG. An attribute that is a function, such as onclick, becomes a listener.

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined) continue;
    // an ARIA attribute needs its value in words
    if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === false) continue;
    else if (name === "onclick") {
      // a control that is off keeps the focus, and so it can still be pressed: see setOff in focus.js
      element.addEventListener("click", (event) => element.getAttribute("aria-disabled") === "true" || value(event));
    } else if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function h(tag, attributes, ...children) {
  return make(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}
