/** Editing a suggested change: the lines to edit, and the edit that the new text is. */

import type { Editing } from './mode';
import { regionOf, replacement } from './region';
import type { Store } from './store';
import type { Action, DocumentEdit } from './wire';

/** Start with the suggestion's own text; null if its file is not here or there is no edit. */
export function editingOf(base: Action, store: Store): Editing | null {
  const document = base.edit?.documents[0];
  const original = document && store.document(document.path)?.texts.text;
  const region = document && original !== undefined ? regionOf(original, document) : null;
  if (!document || original === undefined || !region) return null;
  return { name: 'edit', base, document, original, region, action: base, text: region.text };
}

/** The documents of the suggestion with `text` in place of the edited lines. */
export function editedDocuments(mode: Editing, text: string): DocumentEdit[] {
  const edits = [replacement(mode.original, mode.region, text)];
  return [{ ...mode.document, edits }, ...(mode.base.edit?.documents.slice(1) ?? [])];
}
