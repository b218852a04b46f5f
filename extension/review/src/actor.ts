/** What the reader is doing, and what each control does about it. */

import { RequestError } from './client';
import { editedDocuments, editingOf } from './editing';
import type { Keyed } from './keys';
import { shownIn } from './parts/context';
import { save } from './save';
import { madeAnew, type Proposal, proposalOf } from './stale';
import { type Mode, REVIEW } from './mode';
import type { Review } from './review';
import type { Action, Detail, Failure, Location, Methods } from './wire';

/** A request that waits for a busy kernel. */
export interface Queued {
  readonly what: string;
  readonly takeBack: () => void;
}

/** Milliseconds after the last key press before the edited text is sent to be judged. */
const PAUSE = 250;

/** State and commands of one view. */
export class Actor {
  mode: Mode = REVIEW;
  problem: string | null = null;
  path = '';
  way = 0;
  helpOpen = false;
  queueOpen = true;
  queueLimit = 1;
  /** Actions whose trial was asked for in this view, so that none is asked for twice unasked. */
  readonly tried = new Set<string>();
  readonly running = new Set<string>();
  private editTimer = 0;

  constructor(private readonly view: Review) {
    this.renew();
  }

  private get snapshot(): Review['store']['snapshot'] {
    return this.view.store.snapshot;
  }

  /** Start from the first error: the problems are others than before. */
  renew(): void {
    const { snapshot } = this;
    this.problem = snapshot.first_error ?? null;
    this.tried.clear();
    this.running.clear();
    this.way = 0;
    this.mode = REVIEW;
    this.queueLimit = 1;
    const path = this.pathOf(this.problem);
    const kept = snapshot.files.some((file) => file.path === this.path);
    if (path) this.path = path;
    else if (!kept) this.path = snapshot.files[0]?.path ?? '';
  }

  private pathOf(id: string | null): string | null {
    const path = this.snapshot.problems.find((problem) => problem.id === id)?.path;
    return path ?? null;
  }

  readonly commands: Keyed = {
    open: (problem) => {
      this.open(problem);
      this.view.focusOn('accept', 'fix-title', 'step-down');
    },
    openFile: (path) => {
      const first = this.snapshot.problems.find((problem) => problem.path === path);
      if (first) this.open(first.id);
      this.path = path;
      this.view.redraw();
    },
    step: (direction) => { this.step(direction); },
    stepChange: (direction) => { this.view.stepChange(direction); },
    reveal: (place, side) => { void this.reveal(place, side); },
    check: () => { void this.act('check', {}, 'check', this.view.words.checkAgain); },
    accept: (ids, what) => { void this.accept(ids, what); },
    skip: () => { this.skip(); },
    tryOut: (ids) => { void this.tryOut(ids); },
    savePatch: (ids, name) => { void this.savePatch(ids, name); },
    undo: (params) => { void this.undo(params); },
    redo: () => { void this.act('redo', {}, 'redo', this.view.words.redo).then((done) => { if (done) this.settle(''); }); },
    cancel: () => { void this.view.cancel(); },
    dismiss: () => {
      void this.view.client.ask('dismiss', {}).catch(() => undefined);
      this.view.focusOn('check');
    },
    way: (number) => {
      this.way = number;
      this.view.redraw();
    },
    edit: (action) => { this.edit(action); },
    places: (rule) => { void this.places(rule); },
    back: () => {
      this.mode = REVIEW;
      this.view.focusOn('accept', 'fix-title');
    },
    moreProblems: () => {
      this.queueLimit += 4;
      this.view.store.moreProblems();
      this.view.redraw();
    },
    moreFiles: () => { this.view.store.moreFiles(); },
    help: () => {
      this.helpOpen = !this.helpOpen;
      this.view.focusOn(this.helpOpen ? 'help-close' : 'help');
    },
    escape: () => this.escape(),
  };

  private escape(): boolean {
    if (this.helpOpen) this.commands.help();
    else if (this.mode.name !== 'review') this.commands.back();
    else return false;
    return true;
  }

  private open(problem: string): void {
    this.problem = problem;
    this.way = 0;
    this.mode = REVIEW;
    this.path = this.pathOf(problem) ?? this.path;
    this.view.redraw();
  }

  private step(direction: 1 | -1): void {
    const { problems } = this.snapshot;
    const here = problems.findIndex((problem) => problem.id === this.problem);
    const next = problems[(here + direction + problems.length) % problems.length];
    if (next) this.commands.open(next.id);
  }

  /** Go on to the next problem that is not a mere follower; nothing is written or forgotten. */
  private skip(): void {
    const { problems } = this.snapshot;
    const here = problems.findIndex((problem) => problem.id === this.problem);
    const rest = [...problems.slice(here + 1), ...problems.slice(0, here)];
    const next = rest.find((problem) => problem.caused_by === null);
    if (next) this.commands.open(next.id);
  }

  private async reveal(place: Location, side: 'a' | 'b'): Promise<void> {
    const path = shownIn(this.snapshot, place, side);
    if (path === null) return;
    this.path = path;
    if (!this.view.store.document(path)) await this.view.client.ask('document', { path }).catch(() => undefined);
    this.view.revealSpot({ side, line: place.range.start.line });
  }

  private async savePatch(ids: readonly string[], name: string): Promise<void> {
    const { view } = this;
    const done = await this.act('patch', { ids }, name, view.words.savePatch);
    if (!done) return;
    save(done.result.name, done.result.data);
    view.saved = done.result.name;
    view.announce(view.words.saved(view.saved).join(''));
  }

  /** Do a change; `name` is the pressed control, `what` its word. Return its result, null if it was not done. */
  private async act<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
    name: string,
    what: string,
    failed?: (failure: Failure) => boolean,
  ): Promise<{ result: Methods[M]['result'] } | null> {
    const { view } = this;
    if (!view.live || view.pressed !== null) return null;
    view.pressed = name;
    view.failure = null;
    view.saved = '';
    view.redraw();
    try {
      return await view.client.act(method, params, (takeBack) => {
        view.queued = { what, takeBack };
        view.redraw();
      });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!failed?.(error.failure)) view.failure = error.failure;
      return null;
    } finally {
      view.queued = null;
      view.pressed = null;
      view.redraw();
    }
  }

  /** After a change: the next first error comes into view, and the focus to what is next. */
  private settle(what: string): void {
    const { view, snapshot } = this;
    this.problem = snapshot.first_error;
    this.path = this.pathOf(this.problem) ?? this.path;
    this.way = 0;
    const action = snapshot.detail?.actions[0];
    if (this.problem === null) view.focusOn('green', 'check');
    // A fix that needs a look must not be accepted by an Enter that was meant for the last one.
    else if (action?.applicability === 'safe') view.focusOn('accept');
    else view.focusOn('fix-title', 'step-down');
    view.announce(view.words.announce(what, snapshot.errors, snapshot.detail?.diagnostic.message ?? ''));
  }

  private async accept(ids: readonly string[], what: string): Promise<void> {
    if (!ids.length) return;
    const refused = { stale: false };
    const before = this.proposal(ids);
    const name = this.mode.name === 'places' ? 'accept-all' : 'accept';
    const done = await this.act('apply', { ids }, name, what, (failure) => {
      refused.stale = failure.error === 'StaleEditError' && before !== null;
      return refused.stale;
    });
    if (done) {
      this.mode = REVIEW;
      this.settle(this.view.words.accepted('', 0, '')[0]);
    } else if (refused.stale && before) await this.resolveStale(before);
  }

  /** What was proposed, should it turn out that the file has changed since. */
  private proposal(ids: readonly string[]): Proposal | null {
    return proposalOf(this.view.store, this.problem, (all) => (this.mode.name === 'edit' ? this.mode.action : all.find((each) => each.id === ids[0])));
  }

  /** Nothing was written: check the file as it is now, and make the fix anew for it. */
  private async resolveStale(before: Proposal): Promise<void> {
    const { view } = this;
    if (!(await this.act('check', { paths: [before.path] }, 'check', view.words.checkAgain))) return;
    try {
      const { problem, state } = await madeAnew(view.client, this.snapshot.problems, before);
      if (problem) this.open(problem.id);
      this.mode = { name: 'conflict', state };
      view.focusOn('back');
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      view.failure = error.failure;
      view.redraw();
    }
  }

  private async undo(params: Methods['undo']['params']): Promise<void> {
    if (await this.act('undo', params, params.path === undefined ? 'undo' : `undo-${params.path}`, this.view.words.undo)) {
      this.settle(this.view.words.undone('', '')[0]);
    }
  }

  private async tryOut(ids: readonly string[], unasked = false): Promise<void> {
    for (const id of ids) {
      this.tried.add(id);
      this.running.add(id);
    }
    try {
      await this.view.client.ask('trial', { ids });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!unasked) this.view.failure = error.failure;
    } finally {
      for (const id of ids) this.running.delete(id);
      this.view.redraw();
    }
  }

  /** Measure the fix in view without being asked: trust is shown as a fact, not a promise. */
  tryUnasked(detail: Detail | undefined): void {
    const action = detail?.actions[this.way];
    if (!action?.edit || action.trial.status !== 'not-run' || this.tried.has(action.id)) return;
    if (!this.view.live || this.view.activity || this.view.pressed !== null) return;
    void this.tryOut([action.id], true);
  }

  private edit(base: Action): void {
    const mode = editingOf(base, this.view.store);
    if (!mode) return;
    this.mode = mode;
    this.view.focusOn('edit-text');
  }

  readonly editChanged = (text: string): void => {
    const { mode } = this;
    if (mode.name !== 'edit') return;
    this.mode = { ...mode, text };
    window.clearTimeout(this.editTimer);
    this.editTimer = window.setTimeout(() => { void this.revise(text); }, PAUSE);
    if (text === mode.region.text) this.view.redraw();
  };

  private async revise(text: string): Promise<void> {
    const { mode, view } = this;
    if (mode.name !== 'edit' || mode.text !== text) return;
    try {
      const action = await view.client.ask('revise', { id: mode.base.id, edit: { documents: editedDocuments(mode, text) } });
      if (this.mode.name === 'edit' && this.mode.text === text) this.mode = { ...this.mode, action };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      view.failure = error.failure;
    }
    view.redraw();
  }

  private async places(rule: string): Promise<void> {
    try {
      this.mode = { name: 'places', rule, all: await this.view.client.ask('places', { rule }) };
      this.view.focusOn('accept-all');
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.view.failure = error.failure;
      this.view.redraw();
    }
  }

  /** Take away what is said of the last request; the focus goes to the first of `names`. */
  forgive(...names: string[]): void {
    this.view.failure = null;
    this.view.saved = '';
    this.view.focusOn(...names, 'check');
  }
}
