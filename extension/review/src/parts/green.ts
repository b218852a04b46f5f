/** Nothing left to fix: what was changed, how to take it back, and what it does not prove. */

import { button, h } from '../dom';
import { icon } from '../icons';
import type { Entry, EntryFile } from '../wire';
import type { Context } from './context';

interface FileSum {
  fixes: number;
  added: number;
  removed: number;
  readonly rules: Map<string, number>;
  edited: boolean;
  cuda: EntryFile['cuda'];
}

/** The effect of several changes is that of the one that shows most. */
const EFFECTS = ['none', 'identical', 'attribute-only', 'differs'] as const;

function greater(one: EntryFile['cuda'], other: EntryFile['cuda']): EntryFile['cuda'] {
  return EFFECTS.indexOf(one) > EFFECTS.indexOf(other) ? one : other;
}

function byFile(entries: readonly Entry[]): Map<string, FileSum> {
  const files = new Map<string, FileSum>();
  for (const entry of entries) {
    if (entry.undone) continue;
    for (const { path, added, removed, cuda } of entry.files) {
      const sum = files.get(path) ?? { fixes: 0, added: 0, removed: 0, rules: new Map<string, number>(), edited: false, cuda };
      sum.fixes++;
      sum.added += added;
      sum.removed += removed;
      sum.edited ||= entry.edited;
      sum.cuda = greater(sum.cuda, cuda);
      for (const rule of new Set(entry.rules)) sum.rules.set(rule, (sum.rules.get(rule) ?? 0) + 1);
      files.set(path, sum);
    }
  }
  return files;
}

function size(sum: { added: number; removed: number }): string {
  return sum.removed ? `+${sum.added}, −${sum.removed}` : `+${sum.added}`;
}

function fileRow(context: Context, path: string, sum: FileSum): HTMLElement {
  const { words, commands } = context;
  const rules = [...sum.rules].map(([rule, times]) => (times > 1 ? `${rule} ×${times}` : rule));
  if (sum.edited) rules.push(words.editedByYou);
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('code', {}, path)),
    h('td', { class: 'fpt-num' }, String(sum.fixes)),
    h('td', { class: 'fpt-num' }, size(sum)),
    h('td', {}, rules.join(', ')),
    h('td', {}, words.cudaCell[sum.cuda]),
    h('td', { class: 'fpt-num' }, button(words.undoFile, { icon: 'undo', kind: 'quiet', name: `undo-${path}`, disabled: context.held, onclick: () => { commands.undo({ path }); } })),
  );
}

/** The second press does it: an undo of everything is asked for twice, without a dialog. */
function undoAll(context: Context, entries: number): HTMLElement {
  const { words, commands } = context;
  let sure = false;
  const element = button(words.undoAll(entries), {
    icon: 'undo',
    kind: 'quiet',
    name: 'undo-all',
    disabled: context.held,
    onclick: () => {
      if (sure) commands.undo({ all: true });
      sure = true;
      element.lastChild?.replaceWith(words.undoAllSure(entries));
    },
  });
  return element;
}

function table(context: Context, files: Map<string, FileSum>, entries: number): HTMLElement {
  const { columns } = context.words;
  const all = [...files.values()];
  const total = {
    fixes: all.reduce((sum, file) => sum + file.fixes, 0),
    added: all.reduce((sum, file) => sum + file.added, 0),
    removed: all.reduce((sum, file) => sum + file.removed, 0),
  };
  const head = (text: string, number = false): HTMLElement => h('th', { scope: 'col', class: number && 'fpt-num' }, text);
  return h(
    'div',
    { class: 'fpt-scroll' },
    h(
      'table',
      { class: 'fpt-table', 'aria-label': context.words.changedTable },
      h('thead', {}, h('tr', {}, head(columns.original), head(columns.fixes, true), head(columns.lines, true), head(columns.rules), head(columns.cuda), head(columns.takeBack, true))),
      h('tbody', {}, ...[...files].map(([path, sum]) => fileRow(context, path, sum))),
      h(
        'tfoot',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, context.words.files(files.size)),
          h('td', { class: 'fpt-num' }, String(total.fixes)),
          h('td', { class: 'fpt-num' }, size(total)),
          h('td', {}),
          h('td', {}, context.words.cudaCell[all.map((file) => file.cuda).reduce(greater, 'none')]),
          h('td', { class: 'fpt-num' }, undoAll(context, entries)),
        ),
      ),
    ),
  );
}

/** The state in which every unit compiles. */
export function green(context: Context, entries: readonly Entry[]): HTMLElement {
  const { words, snapshot } = context;
  const files = byFile(entries);
  const made = entries.filter((entry) => !entry.undone).length;
  return h(
    'div',
    { class: 'fpt-green' },
    h(
      'div',
      { class: 'fpt-body fpt-lead' },
      icon('ok', 'ok'),
      h(
        'div',
        {},
        h('b', { tabindex: '-1', 'data-name': 'green' }, snapshot.units.total === 1 ? words.oneCompiles : words.allCompile(snapshot.units.total)),
        made ? words.fixesMade(made, files.size) : words.noFixNeeded,
        h('br'),
        h('span', { class: 'fpt-muted' }, words.notProof, ' ', h('code', {}, '%fastpt_verify')),
      ),
    ),
    made > 0 && table(context, files, made),
  );
}
