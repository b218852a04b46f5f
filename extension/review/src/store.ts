/** What this view knows of the session: the snapshot, and what was asked for beyond it. */

import type { Client } from './client';
import type { Detail, Entry, Mark, Problem, FileRow, Snapshot, Texts } from './wire';

export interface Shown {
  readonly texts: Texts;
  readonly marks: readonly Mark[];
}

/** Values by request; an answer that belongs to an older picture is dropped. */
export class Store {
  private details = new Map<string, Detail>();
  private documents = new Map<string, Shown>();
  private entries: readonly Entry[] | undefined;
  private readonly loading = new Set<string>();
  private current: Snapshot;

  constructor(
    snapshot: Snapshot,
    private readonly client: Client,
    private readonly changed: () => void,
  ) {
    this.current = snapshot;
    this.seed(snapshot);
  }

  get snapshot(): Snapshot {
    return this.current;
  }

  /** Take a new picture; return whether its problems are others than before. */
  take(snapshot: Snapshot): boolean {
    const other = snapshot.report !== this.current.report;
    if (other) {
      this.details = new Map();
      this.documents = new Map();
    } else {
      // Ids still mean the same; what was loaded stays until its new version is here.
      snapshot = {
        ...snapshot,
        problems: longer(this.current.problems, snapshot.problems),
        files: longer(this.current.files, snapshot.files),
      };
    }
    this.entries = undefined;
    this.loading.clear();
    this.current = snapshot;
    this.seed(snapshot);
    return other;
  }

  private seed(snapshot: Snapshot): void {
    if (snapshot.detail) this.details.set(snapshot.detail.diagnostic.id, snapshot.detail);
    if (snapshot.texts) this.keep({ texts: snapshot.texts, marks: snapshot.marks });
  }

  /** An equal value stays the same object, so that nothing is drawn anew for it. */
  private keep(shown: Shown): void {
    const path = shown.texts.original;
    const known = this.documents.get(path);
    if (JSON.stringify(known) !== JSON.stringify(shown)) this.documents.set(path, shown);
  }

  /** Start a request unless it is under way; `keep` stores what comes back. */
  private load<T>(key: string, request: () => Promise<T>, keep: (value: T) => void): void {
    if (this.loading.has(key)) return;
    this.loading.add(key);
    const { revision } = this.current;
    request().then(
      (value) => {
        if (this.current.revision !== revision) return;
        keep(value);
        this.changed();
      },
      // What the kernel cannot give stays out of view; a later picture asks again.
      () => undefined,
    );
  }

  /** A problem in full, undefined until it is here. */
  detail(id: string): Detail | undefined {
    if (this.current.detail?.diagnostic.id !== id) {
      this.load(`detail ${id}`, () => this.client.ask('detail', { id }), (value) => this.details.set(id, value));
    }
    return this.details.get(id);
  }

  /** The texts of one original, undefined until they are here. */
  document(path: string): Shown | undefined {
    if (!this.documents.has(path)) {
      this.load(`document ${path}`, () => this.client.ask('document', { path }), (value) => { this.keep(value); });
    }
    return this.documents.get(path);
  }

  /** The texts that are here already, by path. */
  texts(): Map<string, Texts> {
    return new Map([...this.documents].map(([path, shown]) => [path, shown.texts]));
  }

  history(): readonly Entry[] | undefined {
    if (!this.entries) {
      this.load('history', () => this.client.ask('history', {}), (value) => {
        this.entries = value;
      });
    }
    return this.entries;
  }

  moreProblems(): void {
    const { problems } = this.current;
    this.load(`problems ${problems.length}`, () => this.client.ask('problems', { offset: problems.length }), (more: readonly Problem[]) => {
      this.current = { ...this.current, problems: [...problems, ...more] };
    });
  }

  moreFiles(): void {
    const { files } = this.current;
    this.load(`files ${files.length}`, () => this.client.ask('files', { offset: files.length }), (more: readonly FileRow[]) => {
      this.current = { ...this.current, files: [...files, ...more] };
    });
  }
}

/** The start of a list is newer, its rest was loaded before. */
function longer<T>(loaded: readonly T[], fresh: readonly T[]): readonly T[] {
  return loaded.length > fresh.length ? [...fresh, ...loaded.slice(fresh.length)] : fresh;
}
