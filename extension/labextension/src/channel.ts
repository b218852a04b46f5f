/** The current notebook's kernel, as a source of problems. */

import { type INotebookTracker, NotebookActions } from '@jupyterlab/notebook';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { Model } from '../../review/src/client';
import type { Activity, Snapshot } from '../../review/src/wire';

const TARGET = 'fastpt_lab';

/** A snapshot with the folders that tell where its paths lie. */
export type Placed = Snapshot & { readonly root: string; readonly home: string };

interface Message {
  readonly name: string;
  readonly value: unknown;
}

type Listener = (value: never) => void;

/** A comm in the shape of a widget's model, to one kernel at a time. */
export class Channel implements Model {
  private readonly state = new Map<string, unknown>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private comm: Kernel.IComm | null = null;
  private kernel: Kernel.IKernelConnection | null = null;

  constructor(private readonly tracker: INotebookTracker) {
    tracker.currentChanged.connect(() => { this.attach(); });
    tracker.widgetAdded.connect((_, panel) => {
      panel.sessionContext.kernelChanged.connect(() => { this.attach(); });
      panel.sessionContext.statusChanged.connect((_context, status) => {
        // A restarted kernel has forgotten the comm.
        if (status === 'restarting' || status === 'autorestarting' || status === 'dead') this.forget();
      });
    });
    // Opening a comm makes the kernel busy and idle again: idleness alone must not open one.
    NotebookActions.executed.connect(() => { this.attach(); });
    this.attach();
  }

  get snapshot(): Placed | null {
    return (this.state.get('snapshot') as Placed | null | undefined) ?? null;
  }

  get activity(): Activity | null {
    return (this.state.get('activity') as Activity | null | undefined) ?? null;
  }

  /** Connect to the kernel of the current notebook; once the magics are loaded it answers. */
  attach(): void {
    const kernel = this.tracker.currentWidget?.sessionContext.session?.kernel ?? null;
    if (kernel === this.kernel && this.comm && !this.comm.isDisposed) return;
    if (kernel !== this.kernel) this.forget();
    this.kernel = kernel;
    if (!kernel?.handleComms || kernel.status === 'dead') return;
    const comm = kernel.createComm(TARGET);
    this.comm = comm;
    comm.onMsg = (message: KernelMessage.ICommMsgMsg): void => {
      this.receive(message.content.data as unknown as Message);
    };
    // A kernel without the magics closes it at once; the next executed cell tries again.
    comm.onClose = (): void => {
      if (this.comm === comm) this.comm = null;
    };
    comm.open({});
  }

  private forget(): void {
    this.comm = null;
    for (const name of ['snapshot', 'activity']) this.receive({ name: `change:${name}`, value: null });
  }

  private receive({ name, value }: Message): void {
    if (name.startsWith('change:')) this.state.set(name.slice('change:'.length), value);
    for (const listener of this.listeners.get(name) ?? []) listener(value as never);
  }

  get(name: string): unknown {
    return this.state.get(name);
  }

  on(name: string, listener: (...values: never[]) => void): void {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
  }

  off(name: string, listener?: (...values: never[]) => void): void {
    if (listener) this.listeners.get(name)?.delete(listener);
    else this.listeners.delete(name);
  }

  send(content: unknown): void {
    this.comm?.send(content as Parameters<Kernel.IComm['send']>[0]);
  }
}
