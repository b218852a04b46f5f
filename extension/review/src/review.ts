/** One view of a session: what is current in it, and how it is drawn. */

import type { Client } from './client';
import { DiffPane, type Spot } from './diff/pane';
import { button, type Child, h } from './dom';
import { shortestNames } from './names';
import { Actor, type Queued } from './actor';
import { banner } from './parts/banner';
import { conflict } from './parts/conflict';
import { type Context, placeOf } from './parts/context';
import { editor } from './parts/edit';
import { FileList } from './parts/files';
import { fix } from './parts/fix';
import { built, failed, foot, head, help, receipt, savedLine, working, written } from './parts/frame';
import { green } from './parts/green';
import { places } from './parts/places';
import { queue } from './parts/queue';
import { handleKey } from './keys';
import { focusNamed, redraw } from './sections';
import { Store } from './store';
import type { Activity, Detail, Failure, Snapshot } from './wire';
import type { Words } from './words';

const NARROW = 880;

/** The whole view. The actor holds what the reader is doing; this draws it. */
export class Review {
  readonly dom: HTMLElement;
  readonly store: Store;
  readonly actor: Actor;
  private readonly top = h('div');
  private readonly notices = h('div');
  private readonly body = h('div');
  private readonly focus = h('div', { class: 'fpt-focus' });
  private readonly later = h('div');
  private readonly bottom = h('div');
  private readonly status = h('div', { class: 'fpt-sr', role: 'status', 'aria-live': 'polite' });
  private readonly files = new FileList();
  private readonly pane = new DiffPane();
  private readonly grid: HTMLElement;
  private readonly observer: ResizeObserver;
  private width = 0;
  private spotShown = '';
  private clock = 0;
  private drawing = 0;
  private wanted: string[] = [];

  failure: Failure | null = null;
  queued: Queued | null = null;
  pressed: string | null = null;
  /** The file that was saved last, until something else is done. */
  saved = '';
  live = true;
  activity: Activity | null;

  constructor(
    readonly client: Client,
    readonly words: Words,
    snapshot: Snapshot,
    activity: Activity | null,
    language: string,
  ) {
    this.activity = activity;
    this.store = new Store(snapshot, client, () => { this.redraw(); });
    this.actor = new Actor(this);
    this.grid = h(
      'div',
      { class: 'fpt-review' },
      this.files.dom,
      h('div', { class: 'fpt-review__main' }, this.focus, this.pane.dom, this.later),
    );
    this.dom = h(
      'section',
      {
        class: 'fpt',
        lang: language,
        'aria-label': words.label(snapshot.project),
        'data-lm-suppress-shortcuts': 'true',
        tabindex: '-1',
        'data-review': true,
        'onfpt-open': (event) => { this.actor.commands.open(String((event as CustomEvent).detail)); },
        onkeydown: (event) => { this.key(event as KeyboardEvent); },
      },
      this.top,
      this.notices,
      this.body,
      this.bottom,
      this.status,
    );
    this.observer = new ResizeObserver(([entry]) => { this.resize(entry?.contentRect.width ?? 0); });
    this.observer.observe(this.dom);
    this.tick();
  }

  private key(event: KeyboardEvent): void {
    if (handleKey(event, this.dom, this.actor.commands)) event.preventDefault();
    // The notebook has keys of its own, arrows and Enter among them.
    event.stopPropagation();
  }

  private resize(width: number): void {
    const before = this.width;
    this.width = width;
    if (width && (before === 0 || before <= NARROW !== width <= NARROW)) {
      this.spotShown = '';
      this.draw();
    }
  }

  /** Take a new picture of the session. */
  take(snapshot: Snapshot): void {
    if (this.store.take(snapshot)) this.actor.renew();
    this.redraw();
  }

  setActivity(activity: Activity | null): void {
    this.activity = activity;
    window.clearTimeout(this.clock);
    this.tick();
    this.redraw();
  }

  /** Whether there is a kernel that answers. */
  setLive(live: boolean): void {
    this.live = live;
    this.redraw();
  }

  /** Say one thing to a screen reader. */
  announce(text: string): void {
    this.status.textContent = text;
  }

  /** Focus the first of these controls that is there; if it is still to come, when it comes. */
  focusOn(...names: string[]): void {
    this.wanted = names;
    this.draw();
    // Meanwhile the focus waits on the review itself, where the keys work.
    if (this.wanted.length) this.dom.focus({ preventScroll: true });
  }

  /** Draw at the next frame; several changes are one drawing. */
  redraw(): void {
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.draw();
    });
  }

  private get held(): string | undefined {
    if (!this.live) return this.words.needsKernel;
    return this.pressed === null && (this.activity === null || this.activity.activity === 'trial') ? undefined : this.words.needsIdle;
  }

  private context(): Context {
    const { snapshot } = this.store;
    return {
      words: this.words,
      snapshot,
      activity: this.activity,
      held: this.held,
      names: shortestNames(snapshot.files.map((file) => file.path)),
      commands: this.actor.commands,
    };
  }

  private elapsed(): number {
    return this.activity ? Math.max(0, Date.now() / 1000 - this.activity.started) : 0;
  }

  /** The clocks move once a second, and only they. */
  private tick(): void {
    if (!this.activity) return;
    this.clock = window.setTimeout(() => {
      this.drawNotices(this.context());
      const chip = this.dom.querySelector<HTMLElement>('[data-name=trial-clock]');
      if (chip?.lastChild) chip.lastChild.textContent = this.words.trialRunning(this.elapsed());
      this.tick();
    }, 1000);
  }

  private draw(): void {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    if (!this.width) return;
    const context = this.context();
    redraw(this.top, head(context));
    this.drawNotices(context);
    this.drawBody(context);
    redraw(this.bottom, foot(context));
    if (this.wanted.length && focusNamed(this.dom, ...this.wanted)) this.wanted = [];
    if (this.pressed !== null) {
      for (const element of this.dom.querySelectorAll<HTMLElement>('[data-name]')) {
        if (element.dataset['name'] === this.pressed) element.setAttribute('aria-busy', 'true');
      }
    }
  }

  private drawNotices(context: Context): void {
    const { words } = this;
    const lines: Child[] = [];
    if (!this.live) lines.push(receipt({ tone: 'warn', icon: 'plug', bold: words.noKernel, text: words.noKernelText, alert: true }));
    const { queued } = this;
    if (queued) {
      const back = button(words.takeBack, { name: 'take-back', onclick: queued.takeBack });
      lines.push(receipt({ tone: 'info', icon: 'clock', bold: words.queued, text: words.queuedText(queued.what) }, back));
    }
    if (this.failure) lines.push(failed(context, this.failure, () => { this.actor.forgive('accept'); }));
    lines.push(working(context, this.elapsed()), built(context), written(context));
    if (this.saved) lines.push(savedLine(context, this.saved, () => { this.actor.forgive('patch'); }));
    if (this.actor.helpOpen) lines.push(help(context));
    redraw(this.notices, ...lines);
  }

  private drawBody(context: Context): void {
    const { mode } = this.actor;
    const { snapshot } = this.store;
    if (mode.name === 'places') redraw(this.body, places(context, mode.rule, mode.all));
    else if (mode.name === 'conflict') redraw(this.body, conflict(context, mode.state));
    else if (!snapshot.files_total && !snapshot.problems_total && !snapshot.build) {
      const empty = receipt({ tone: 'info', icon: 'info', bold: this.words.empty, text: this.words.emptyText(snapshot.project) });
      redraw(this.body, empty);
    } else if (this.isGreen()) {
      redraw(this.body, green(context, this.store.history() ?? []), this.drawLater(context));
    } else this.drawReview(context);
  }

  private isGreen(): boolean {
    const { snapshot } = this.store;
    // What was built or read from a log had no unit of ours.
    return snapshot.units.total > 0 && !snapshot.errors && !snapshot.units.failed && this.actor.problem === null;
  }

  private drawLater(context: Context): HTMLElement {
    const { actor } = this;
    redraw(
      this.later,
      queue(context, actor.problem, actor.queueOpen, actor.queueLimit, (open) => { actor.queueOpen = open; }),
    );
    return this.later;
  }

  private drawReview(context: Context): void {
    const { actor, store } = this;
    const detail = actor.problem === null ? undefined : store.detail(actor.problem);
    if (this.grid.parentElement !== this.body) this.body.replaceChildren(this.grid);
    if (this.later.parentElement !== this.pane.dom.parentElement) this.pane.dom.after(this.later);
    this.files.update(context, actor.path);
    redraw(this.focus, ...this.focusParts(context, detail));
    this.drawPane(detail);
    this.drawLater(context);
    actor.tryUnasked(detail);
  }

  private focusParts(context: Context, detail: Detail | undefined): Child[] {
    const { actor, words } = this;
    if (actor.problem === null) {
      return [context.snapshot.checked ? null : receipt({ tone: 'info', icon: 'info', bold: '', text: words.unknownText })];
    }
    if (!detail) return [h('div', { class: 'fpt-focus__banner', 'aria-busy': 'true' })];
    const shown = banner(context, detail.diagnostic);
    const { mode } = actor;
    if (mode.name === 'edit') {
      const running = actor.running.has(mode.action.id) && this.activity?.activity === 'trial' ? this.elapsed() : null;
      return [shown, editor(context, { ...mode, running, changed: actor.editChanged })];
    }
    const action = detail.actions[actor.way];
    for (const document of action?.edit?.documents ?? []) this.store.document(document.path);
    const running = action && actor.running.has(action.id) && this.activity?.activity === 'trial' ? this.elapsed() : null;
    return [shown, fix(context, { detail, way: actor.way, texts: this.store.texts(), running })];
  }

  private drawPane(detail: Detail | undefined): void {
    const { actor, store } = this;
    const shown = actor.path ? store.document(actor.path) : undefined;
    if (!shown) {
      if (!actor.path) this.pane.clear();
      return;
    }
    const place = detail && placeOf(detail.diagnostic);
    const side = detail?.diagnostic.location ? 'a' : 'b';
    const spot: Spot | null = place && (place.path === actor.path || side === 'b') ? { side, line: place.range.start.line } : null;
    const key = JSON.stringify([store.snapshot.report, actor.path, actor.problem, spot]);
    const moved = key !== this.spotShown;
    this.spotShown = key;
    this.pane.show({ ...shown, first: store.snapshot.first_error }, this.width <= NARROW, this.words, moved ? spot : null);
  }

  /** End the running work, or say who can. */
  async cancel(): Promise<void> {
    if (await this.client.cancel(this.activity?.in_cell ?? false)) return;
    this.failure = { error: '', message: this.words.stopTheCell, next_step: '', exit_code: 130 };
    this.redraw();
  }

  stepChange(direction: 1 | -1): void {
    this.pane.change(direction);
  }

  /** Show a place of the current file and put the focus there. */
  revealSpot(spot: Spot): void {
    this.draw();
    this.pane.reveal(spot);
  }

  dispose(): void {
    window.clearTimeout(this.clock);
    cancelAnimationFrame(this.drawing);
    this.observer.disconnect();
    this.pane.dispose();
  }
}
