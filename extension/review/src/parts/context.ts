/** What every part of the review is given: values to show, and what its controls do. */

import type { Action, Activity, Diagnostic, Location, Snapshot } from '../wire';
import type { Words } from '../words';

export interface Commands {
  /** Make a problem the current one and show its place. */
  readonly open: (problem: string) => void;
  readonly openFile: (path: string) => void;
  readonly step: (direction: 1 | -1) => void;
  readonly stepChange: (direction: 1 | -1) => void;
  /** Show a place in the diff. */
  readonly reveal: (place: Location, side: 'a' | 'b') => void;
  readonly check: () => void;
  readonly accept: (ids: readonly string[], what: string) => void;
  readonly skip: () => void;
  readonly tryOut: (ids: readonly string[]) => void;
  /** Save a diff of these actions, or of all that was written. */
  readonly savePatch: (ids: readonly string[], name: string) => void;
  readonly undo: (params: { path?: string; id?: string; all?: boolean }) => void;
  readonly redo: () => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
  readonly way: (number: number) => void;
  readonly edit: (action: Action) => void;
  readonly places: (rule: string) => void;
  /** Leave an editor, list or conflict. */
  readonly back: () => void;
  readonly moreProblems: () => void;
  readonly moreFiles: () => void;
  readonly help: () => void;
}

export interface Context {
  readonly words: Words;
  readonly snapshot: Snapshot;
  readonly activity: Activity | null;
  /** Why buttons that change something cannot be used now, if so. */
  readonly held: string | undefined;
  readonly names: ReadonlyMap<string, string>;
  readonly commands: Commands;
}

/** `path:line:column`, one-based, as compilers print it. */
export function placeText(place: Location, name = place.path): string {
  const { line, character } = place.range.start;
  return `${name}:${line + 1}:${character + 1}`;
}

/** The place to show of a diagnostic: the original's, else the compiler's own. */
export function placeOf(found: Diagnostic): Location | null {
  return found.location ?? found.generated;
}

/** The short name of a path, where only names are shown. */
export function nameOf(context: Context, path: string): string {
  return context.names.get(path) ?? path.split('/').at(-1) ?? path;
}

/** The original in whose diff a place can be shown; null for files that are not the project's. */
export function shownIn(snapshot: Snapshot, place: Location, side: 'a' | 'b'): string | null {
  if (side === 'a') return place.path.startsWith('/') ? null : place.path;
  return snapshot.files.find((file) => file.generated === place.path)?.path ?? null;
}
