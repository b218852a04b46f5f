/** What the reader is in: the review itself, or something that is left again. */

import type { Conflict } from './parts/conflict';
import type { Region } from './region';
import type { Action, DocumentEdit, Place } from './wire';

export interface Editing {
  readonly name: 'edit';
  /** The suggestion; `action` is what became of it by the edited text. */
  readonly base: Action;
  readonly document: DocumentEdit;
  readonly original: string;
  readonly region: Region;
  readonly action: Action;
  readonly text: string;
}

export type Mode =
  | { readonly name: 'review' }
  | Editing
  | { readonly name: 'places'; readonly rule: string; readonly all: readonly Place[] }
  | { readonly name: 'conflict'; readonly state: Conflict };

export const REVIEW: Mode = { name: 'review' };
