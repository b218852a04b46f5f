/** What travels between the kernel and this view: docs/contract.md and docs/review.md. */

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Location {
  readonly path: string;
  readonly range: Range;
}

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

export interface DocumentEdit {
  readonly path: string;
  readonly digest: string;
  readonly edits: readonly TextEdit[];
}

export interface Related {
  readonly message: string;
  readonly location: Location | null;
  readonly generated: Location | null;
}

export interface Diagnostic {
  readonly id: string;
  readonly severity: 1 | 2 | 3 | 4;
  readonly message: string;
  readonly code: string;
  readonly source: string;
  readonly location: Location | null;
  readonly generated: Location | null;
  readonly related: readonly Related[];
  readonly caused_by: string | null;
}

export interface Trial {
  readonly status: 'fixed' | 'advanced' | 'unchanged' | 'worse' | 'not-run';
  readonly first_error_before?: string | null;
  readonly first_error_after?: string | null;
  readonly errors_before?: number;
  readonly errors_after?: number;
  readonly seconds?: number;
}

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  readonly kind: 'edit' | 'flag' | 'environment' | 'advice';
  readonly applicability: 'safe' | 'unsafe' | 'display-only';
  /** `differs` is said of an edited fix only. */
  readonly cuda_effect: 'identical' | 'attribute-only' | 'none' | 'differs';
  readonly diagnostics: readonly string[];
  readonly edit: { readonly documents: readonly DocumentEdit[] } | null;
  readonly advice: string | null;
  readonly flags: { readonly add: readonly string[]; readonly remove: readonly string[] } | null;
  readonly evidence: readonly string[];
  readonly trial: Trial;
}

/** One original and what the last report says of it. */
export interface FileRow {
  readonly path: string;
  readonly generated: string | null;
  readonly errors: number;
  readonly warnings: number;
  /** `unchanged`: the transcoder had nothing to change. */
  readonly status: string;
}

/** A problem in few words; `fix` and `rule` say what its first action is, if any. */
export interface Problem {
  readonly id: string;
  readonly severity: 1 | 2 | 3 | 4;
  readonly message: string;
  readonly path: string | null;
  readonly line: number;
  readonly character: number;
  readonly caused_by: string | null;
  readonly fix: Action['applicability'] | null;
  readonly rule: string | null;
}

/** The texts of one original; the generated side is null until it was transcoded. */
export interface Texts {
  readonly original: string;
  readonly generated: string | null;
  readonly text: string;
  readonly generated_text: string | null;
  readonly digest: string;
}

/** The problem in full, its actions, best first, and how many places each action's rule has. */
export interface Detail {
  readonly diagnostic: Diagnostic;
  readonly actions: readonly Action[];
  readonly places: Readonly<Record<string, number>>;
}

/** A problem's mark in a file that is shown. */
export type Mark = Pick<Diagnostic, 'id' | 'severity' | 'message' | 'location' | 'generated' | 'related'>;

/** One file of a journal entry; `cuda`: what a CUDA compiler sees of the change. */
export interface EntryFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly cuda: Action['cuda_effect'];
}

export interface Entry {
  readonly id: string;
  readonly time: string;
  readonly rules: readonly string[];
  readonly files: readonly EntryFile[];
  readonly undone: boolean;
  readonly edited: boolean;
}

/** The last write, until it is dismissed. `gone`: how many followers went with the error, null if it is still there. */
export interface Receipt {
  readonly kind: 'accepted' | 'undone' | 'redone';
  readonly entry: Entry;
  readonly gone: number | null;
}

/** The bounded picture of the session that every view starts from. */
export interface Snapshot {
  readonly revision: number;
  /** Changes where ids may mean something else than before. */
  readonly report: number;
  readonly project: string;
  readonly errors: number;
  readonly warnings: number;
  readonly fixes: number;
  readonly files: readonly FileRow[];
  readonly files_total: number;
  readonly problems: readonly Problem[];
  readonly problems_total: number;
  readonly first_error: string | null;
  /** The first error in full, and its file's texts and marks where they are small enough. */
  readonly detail: Detail | null;
  readonly texts: Texts | null;
  readonly marks: readonly Mark[];
  readonly units: { readonly total: number; readonly failed: number };
  readonly checked: boolean;
  /** How the last build ended; null if the report is of something else. */
  readonly build: { readonly failed: boolean; readonly remarks: readonly string[] } | null;
  readonly seconds: number;
  readonly compiler: string;
  readonly arch: string;
  readonly receipt: Receipt | null;
}

/** Work in the background; `started` is seconds since the epoch. */
export interface Activity {
  readonly activity: string;
  readonly done: number;
  readonly total: number;
  readonly current: string | null;
  /** Whether a cell does it, which keeps the kernel from answering. */
  readonly in_cell: boolean;
  readonly started: number;
}

/** One place of a rule, for the list that accepts many at once. */
export interface Place {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly code: string;
  readonly applicability: Action['applicability'];
  readonly trial: Trial['status'];
  readonly reason: string | null;
}

/** Why the kernel did not do it: a `FastptError` as data. */
export interface Failure {
  readonly error: string;
  readonly message: string;
  readonly next_step: string;
  readonly exit_code: number;
}

export interface Methods {
  files: { params: { offset: number }; result: readonly FileRow[] };
  problems: { params: { offset: number }; result: readonly Problem[] };
  detail: { params: { id: string }; result: Detail };
  document: { params: { path: string }; result: { texts: Texts; marks: readonly Mark[] } };
  places: { params: { rule: string }; result: readonly Place[] };
  history: { params: object; result: readonly Entry[] };
  check: { params: { paths?: readonly string[] }; result: null };
  apply: { params: { ids: readonly string[] }; result: null };
  undo: { params: { path?: string; id?: string; all?: boolean }; result: null };
  redo: { params: object; result: null };
  trial: { params: { ids: readonly string[] }; result: null };
  patch: { params: { ids: readonly string[] }; result: { name: string; data: string } };
  revise: { params: { id: string; edit: NonNullable<Action['edit']> }; result: Action };
  dismiss: { params: object; result: null };
  cancel: { params: object; result: null };
}
