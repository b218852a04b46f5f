/** What both diff views put into their read-only editors: indents, marks, folds. */

import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { indent } from '../columns';
import { h } from '../dom';
import { icon, type IconName } from '../icons';
import type { LineMark, Tone } from './marks';

const DEEPEST_INDENT = 24;

function hanging(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const columns = Math.min(indent(line.text.slice(0, 200)), DEEPEST_INDENT);
      if (columns) builder.add(line.from, line.from, Decoration.line({ attributes: { style: `--i:${columns}` } }));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Wrapped lines hang beyond their own indent. */
const hangingIndent = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = hanging(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = hanging(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** A read-only editor whose page scrolls, not it. */
export function readOnly(label: string): Extension {
  return [
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false' }),
    EditorView.lineWrapping,
    hangingIndent,
  ];
}

/** One folded stretch: lines `from..to` of this editor, one-based, both included. */
export interface Fold {
  readonly key: number;
  readonly from: number;
  readonly to: number;
}

export const setFolds = StateEffect.define<readonly Fold[]>();

class FoldBar extends WidgetType {
  constructor(
    readonly fold: Fold,
    readonly text: string,
    readonly open: (key: number) => void,
  ) {
    super();
  }

  override eq(other: FoldBar): boolean {
    return other.fold.key === this.fold.key && other.text === this.text;
  }

  override get estimatedHeight(): number {
    return 24;
  }

  toDOM(): HTMLElement {
    const open = (): void => {
      this.open(this.fold.key);
    };
    // The right pane's bar only continues the left one's: one control, one stop.
    if (!this.text) return h('div', { class: 'fpt-fold', 'aria-hidden': 'true', onclick: open });
    return h('button', { type: 'button', class: 'fpt-fold', 'aria-expanded': 'false', onclick: open }, icon('unfold'), this.text);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Folds of an editor; `text` words a bar ("" for the silent side), `open` unfolds on all sides. */
export function folding(text: (lines: number) => string, open: (key: number) => void): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, transaction) {
      for (const effect of transaction.effects) {
        if (!effect.is(setFolds)) continue;
        const { doc } = transaction.state;
        value = Decoration.set(
          effect.value.map((fold) =>
            Decoration.replace({ block: true, widget: new FoldBar(fold, text(fold.to - fold.from + 1), open) }).range(
              doc.line(fold.from).from,
              doc.line(fold.to).to,
            ),
          ),
        );
      }
      return value;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Text in a gutter: a number, or the side's letter. */
export class TextMarker extends GutterMarker {
  constructor(
    readonly text: string,
    override readonly elementClass = '',
  ) {
    super();
  }

  override eq(other: TextMarker): boolean {
    return other.text === this.text && other.elementClass === this.elementClass;
  }

  override toDOM(): Node {
    return document.createTextNode(this.text);
  }
}

const ICONS: Record<Tone, readonly [IconName, string]> = {
  first: ['error', 'error'],
  error: ['error', 'error'],
  warn: ['warn', 'warn'],
  note: ['info', 'info'],
};

/** A message's icon in the gutter, labelled with the message. */
export class IconMarker extends GutterMarker {
  constructor(readonly mark: LineMark) {
    super();
  }

  override eq(other: IconMarker): boolean {
    return other.mark === this.mark;
  }

  override toDOM(): Node {
    const [name, tone] = ICONS[this.mark.tone];
    const drawing = icon(name, tone, this.mark.label);
    const title = document.createElementNS(drawing.namespaceURI ?? '', 'title');
    title.textContent = this.mark.label;
    drawing.append(title);
    return drawing;
  }
}

/** Scroll `box` so that `position` of `view` stands a third from its top; the page stays. */
export function reveal(view: EditorView, box: HTMLElement, position: number, passes = 3): void {
  view.requestMeasure({
    read: () => {
      const top = view.lineBlockAt(position).top + view.documentTop - box.getBoundingClientRect().top;
      return box.scrollTop + top - box.clientHeight / 3;
    },
    write: (top) => {
      box.scrollTop = top;
      // Lines not drawn yet have estimated heights; once drawn, the place is exact.
      if (passes > 1) requestAnimationFrame(() => { reveal(view, box, position, passes - 1); });
    },
  });
}
