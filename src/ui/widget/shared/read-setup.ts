import { tidyCode } from "../../../cell-text/index.js";

/** The code of the attribute `setup`, or of the element of the page that it names. */
export function setupIn(element: Element): { readonly text: string; readonly problems: readonly string[] } {
  const attribute = element.getAttribute("setup") ?? "";
  const reference = attribute.trim();
  if (!/^#\S+$/.test(reference)) return { text: tidyCode(attribute), problems: [] };
  const holder = document.getElementById(reference.slice(1));
  if (holder !== null) return { text: tidyCode(textOf(holder)), problems: [] };
  return { text: "", problems: [`setup="${reference}" names no element of this page.`] };
}

/** Of a `<template>` what is in it. */
export function textOf(element: Element): string {
  return (element instanceof HTMLTemplateElement ? element.content : element).textContent;
}
