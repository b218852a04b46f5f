/** The diff of the current file: heads, the view that fits the width, and its messages. */

import { h } from '../dom';
import type { Mark, Texts } from '../wire';
import type { Words } from '../words';
import { sideMarks } from './marks';
import { folds, pair } from './pair';
import { type DiffView, splitView } from './split';
import { unifiedView } from './unified';

export interface PaneContent {
  readonly texts: Texts;
  readonly marks: readonly Mark[];
  readonly first: string | null;
}

/** A place of one side, zero-based. */
export interface Spot {
  readonly side: 'a' | 'b';
  readonly line: number;
}

/** Holds at most one editor view; shows it anew only if what it shows has changed. */
export class DiffPane {
  readonly dom = h('div', { class: 'fpt-diff' });
  private readonly box = h('div', { class: 'fpt-diff__view', role: 'group' });
  private view: DiffView | null = null;
  /** A place shown while the browser skipped this part of the page, which loses its scrolling. */
  private pending: Spot | null = null;
  private visible = false;
  private readonly observer = new IntersectionObserver(([entry]) => {
    this.visible = entry?.isIntersecting ?? false;
    if (!this.visible || !this.pending) return;
    this.view?.reveal(this.pending.side, this.pending.line);
    this.pending = null;
  });
  private shown: { content: PaneContent; narrow: boolean; words: Words } | null = null;

  constructor() {
    this.observer.observe(this.box);
  }

  /** Show a file, and `spot` of it a third from the top. */
  show(content: PaneContent, narrow: boolean, words: Words, spot: Spot | null): void {
    const same =
      this.shown?.content.texts === content.texts &&
      this.shown.content.marks === content.marks &&
      this.shown.content.first === content.first &&
      this.shown.narrow === narrow &&
      this.shown.words === words;
    if (!same) {
      this.shown = { content, narrow, words };
      this.build(content, narrow, words);
    }
    if (!spot) return;
    this.view?.reveal(spot.side, spot.line);
    this.pending = this.visible ? null : spot;
  }

  private build({ texts, marks, first }: PaneContent, narrow: boolean, words: Words): void {
    const scrolled = this.box.scrollTop;
    this.view?.destroy();
    this.view = null;
    const generated = texts.generated;
    const both = pair(texts.text, texts.generated_text ?? texts.text);
    const sides = {
      a: sideMarks(marks, 'location', texts.original, both.a, first),
      b: generated === null ? new Map() : sideMarks(marks, 'generated', generated, both.b, first),
    };
    const labels = { a: `${words.original} ${texts.original}`, b: `${words.generated} ${generated ?? words.noGenerated}` };
    const { box } = this;
    box.setAttribute('aria-label', words.besides(labels.a, labels.b));
    const options = {
      texts: both,
      marks: sides,
      folds: folds(both, sides.a, sides.b),
      labels,
      foldText: words.fold,
      box,
    };
    // Without a generated side there is nothing beside the original.
    const single = narrow || generated === null || texts.generated_text === null;
    this.view = single ? unifiedView(options) : splitView(options);
    this.dom.classList.toggle('fpt-diff--unified', single);
    box.replaceChildren(this.view.dom);
    this.dom.replaceChildren(this.heads(texts, single, words), box);
    box.scrollTop = scrolled;
    if (!both.hunks.length && texts.generated_text !== null) {
      this.dom.append(h('p', { class: 'fpt-diff__same fpt-muted' }, words.noChanges));
    }
  }

  private heads(texts: Texts, single: boolean, words: Words): HTMLElement {
    const head = (side: string, path: string): HTMLElement =>
      h('div', { class: 'fpt-diff__head' }, h('span', { class: 'fpt-diff__side' }, side), h('code', { class: 'fpt-cut', title: path }, path));
    if (texts.generated === null) return head(words.original, texts.original);
    if (single) return head(words.unifiedKey, texts.original);
    return h('div', { class: 'fpt-diff__heads' }, head(words.original, texts.original), head(words.generated, texts.generated));
  }

  change(direction: 1 | -1): boolean {
    return this.view?.change(direction) ?? false;
  }

  reveal(spot: Spot): void {
    this.view?.reveal(spot.side, spot.line);
    this.view?.focus();
  }

  dispose(): void {
    this.observer.disconnect();
    this.clear();
  }

  clear(): void {
    this.view?.destroy();
    this.view = null;
    this.shown = null;
    this.dom.replaceChildren();
  }
}
