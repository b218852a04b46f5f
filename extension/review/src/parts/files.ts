/** The file list: grouped by state, worst first; only the rows in view are in the document. */

import { button, h, shortName } from '../dom';
import { icon, type IconName } from '../icons';
import type { FileRow } from '../wire';
import { type Context, nameOf } from './context';

type Group = 'error' | 'warning' | 'open' | 'clean' | 'same';

const GROUPS: readonly Group[] = ['error', 'warning', 'open', 'clean', 'same'];
const ICONS: Record<Group, readonly [IconName, string]> = {
  error: ['error', 'error'],
  warning: ['warn', 'warn'],
  open: ['unknown', 'none'],
  clean: ['ok', 'ok'],
  same: ['same', 'none'],
};
const ROW = 24;
const SPARE = 10;

type Item = { readonly head: string } | { readonly file: FileRow; readonly group: Group };

function groupOf(file: FileRow, checked: boolean): Group {
  if (file.errors) return 'error';
  if (file.warnings) return 'warning';
  if (file.status === 'skipped') return 'same';
  return checked ? 'clean' : 'open';
}

function items(context: Context): Item[] {
  const { snapshot, words } = context;
  const groups = new Map<Group, Item[]>(GROUPS.map((group) => [group, []]));
  for (const file of snapshot.files) {
    const group = groupOf(file, snapshot.checked);
    groups.get(group)?.push({ file, group });
  }
  return [...groups].flatMap(([group, rows]) =>
    rows.length ? [{ head: `${words.filesWith[group]} · ${rows.length}` }, ...rows] : [],
  );
}

/** The list with its button for narrow widgets. Create once, `update` with each change. */
export class FileList {
  readonly dom: HTMLElement;
  private readonly list: HTMLElement;
  private readonly sheet: HTMLElement;
  private readonly pick: HTMLElement;
  private items: Item[] = [];
  private context: Context | null = null;
  private current = '';
  private active = -1;
  private typed = '';
  private typedAt = 0;
  private readonly id = `fpt-files-${Math.random().toString(36).slice(2)}`;

  constructor() {
    this.sheet = h('div', { class: 'fpt-files__sheet', role: 'presentation' });
    this.list = h(
      'div',
      {
        class: 'fpt-files__list',
        role: 'listbox',
        tabindex: '0',
        'data-name': 'files',
        onscroll: () => {
          this.draw();
        },
        onkeydown: (event) => {
          this.key(event as KeyboardEvent);
        },
      },
      this.sheet,
    );
    this.pick = h('div', { class: 'fpt-files__pick' });
    this.dom = h('nav', { class: 'fpt-files' }, this.pick, this.list);
  }

  /** Show the snapshot's files with `current` selected. */
  update(context: Context, current: string): void {
    const moved = current !== this.current;
    this.context = context;
    this.items = items(context);
    this.current = current;
    this.dom.setAttribute('aria-label', context.words.file);
    this.list.setAttribute('aria-label', context.words.file);
    this.sheet.style.height = `${this.items.length * ROW}px`;
    this.active = this.items.findIndex((item) => 'file' in item && item.file.path === current);
    if (moved) this.scrollTo(this.active);
    this.drawPick(context);
    this.draw();
    if (context.snapshot.files.length < context.snapshot.files_total) context.commands.moreFiles();
  }

  private drawPick(context: Context): void {
    const { words, snapshot } = context;
    const item = this.items[this.active];
    const withErrors = snapshot.files.filter((file) => file.errors).length;
    const open = button('', {
      name: 'file-pick',
      onclick: () => {
        this.open(this.list.classList.contains('is-open'));
      },
    });
    open.classList.remove('fpt-btn--icon');
    open.setAttribute('aria-haspopup', 'listbox');
    open.setAttribute('aria-expanded', String(this.list.classList.contains('is-open')));
    if (item && 'file' in item) {
      const [name, tone] = ICONS[item.group];
      open.append(icon(name, tone), shortName(nameOf(context, item.file.path), item.file.path));
    } else open.append(words.file);
    open.append(icon('chevdown'));
    this.pick.replaceChildren(
      h('span', { class: 'fpt-muted' }, words.file),
      open,
      h('span', { class: 'fpt-muted' }, words.withErrors(withErrors, snapshot.files_total)),
    );
  }

  private open(isOpen: boolean): void {
    this.list.classList.toggle('is-open', !isOpen);
    this.pick.querySelector('button')?.setAttribute('aria-expanded', String(!isOpen));
    if (isOpen) this.pick.querySelector('button')?.focus();
    else {
      this.scrollTo(this.active);
      this.draw();
      this.list.focus();
    }
  }

  private draw(): void {
    const { context } = this;
    if (!context) return;
    const height = this.list.clientHeight || 640;
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - SPARE);
    const last = Math.min(this.items.length, Math.ceil((this.list.scrollTop + height) / ROW) + SPARE);
    const rows = this.items.slice(first, last).map((item, index) => {
      const row = 'head' in item ? h('div', { class: 'fpt-files__group', role: 'presentation' }, item.head) : this.row(context, item, first + index);
      row.style.top = `${(first + index) * ROW}px`;
      return row;
    });
    this.sheet.replaceChildren(...rows);
    this.list.setAttribute('aria-activedescendant', `${this.id}-${this.active}`);
  }

  private row(context: Context, item: { file: FileRow; group: Group }, index: number): HTMLElement {
    const { file, group } = item;
    const { words } = context;
    const [name, tone] = ICONS[group];
    const label = file.errors ? words.errors(file.errors) : words.warnings(file.warnings);
    const counted = file.errors || file.warnings;
    return h(
      'div',
      {
        class: 'fpt-files__row',
        id: `${this.id}-${index}`,
        role: 'option',
        'data-path': file.path,
        'data-active': index === this.active,
        'aria-selected': String(file.path === this.current),
        onclick: () => {
          this.choose(index);
        },
      },
      icon(name, tone),
      shortName(nameOf(context, file.path), file.path),
      counted > 0 && h('span', { class: 'fpt-files__count', 'aria-label': label }, String(counted)),
    );
  }

  private choose(index: number): void {
    const item = this.items[index];
    if (!item || 'head' in item) return;
    this.list.classList.remove('is-open');
    this.context?.commands.openFile(item.file.path);
  }

  private key(event: KeyboardEvent): void {
    const files = this.items.flatMap((item, index) => ('file' in item ? [index] : []));
    const here = files.indexOf(this.active);
    const moves: Record<string, number | undefined> = {
      ArrowDown: files[Math.min(here + 1, files.length - 1)],
      ArrowUp: files[Math.max(here - 1, 0)],
      Home: files[0],
      End: files.at(-1),
    };
    if (event.key in moves) this.activate(moves[event.key] ?? this.active);
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.active);
    else if (event.key === 'Escape' && this.list.classList.contains('is-open')) this.open(true);
    else if (event.key.length === 1 && event.key !== '?' && !event.ctrlKey && !event.metaKey) this.typeAhead(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private typeAhead(letter: string): void {
    const now = performance.now();
    this.typed = (now - this.typedAt < 800 ? this.typed : '') + letter.toLowerCase();
    this.typedAt = now;
    const found = this.items.findIndex(
      (item) => 'file' in item && this.context && nameOf(this.context, item.file.path).toLowerCase().startsWith(this.typed),
    );
    if (found >= 0) this.activate(found);
  }

  private activate(index: number): void {
    this.active = index;
    this.scrollTo(index);
    this.draw();
  }

  private scrollTo(index: number): void {
    if (index < 0) return;
    const top = index * ROW;
    const height = this.list.clientHeight || 640;
    if (top < this.list.scrollTop) this.list.scrollTop = Math.max(0, top - ROW);
    else if (top + ROW > this.list.scrollTop + height) this.list.scrollTop = top + 2 * ROW - height;
  }
}
