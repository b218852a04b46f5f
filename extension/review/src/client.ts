/** Requests to the kernel over the widget's own channel, as docs/review.md describes them. */

import type { Failure, Methods } from './wire';

/** The part of anywidget's model that the review uses. */
export interface Model {
  get(name: string): unknown;
  on(name: string, listener: (...values: never[]) => void): void;
  off(name: string, listener?: (...values: never[]) => void): void;
  send(content: unknown): void;
  /** Where the host has a kernel of its own to stop: JupyterLab's manager of widgets. */
  readonly widget_manager?: { readonly kernel?: { interrupt(): Promise<void> } | null };
}

/** A request that the kernel refused. */
export class RequestError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** After this many milliseconds without an answer the kernel is taken to be busy. */
const PATIENCE = 300;

type Answer = { id: string; result: unknown } | { id: string; failure: Failure };

function isAnswer(content: unknown): content is Answer {
  return typeof content === 'object' && content !== null && 'id' in content;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One view's end of the channel. */
export class Client {
  private readonly waiting = new Map<string, Waiting>();
  private readonly name = Math.random().toString(36).slice(2);
  private sent = 0;

  constructor(private readonly model: Model) {
    model.on('msg:custom', this.receive);
  }

  private readonly receive = (content: unknown): void => {
    if (!isAnswer(content)) return;
    const waiting = this.waiting.get(content.id);
    if (!waiting) return;
    this.waiting.delete(content.id);
    if ('failure' in content) waiting.reject(new RequestError(content.failure));
    else waiting.resolve(content.result);
  };

  private request<T>(method: string, params: object): Promise<T> {
    const id = `${this.name}-${++this.sent}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.model.send({ id, method, params });
    });
  }

  /** Settles when the kernel answers; not before the end of the cell that it runs. */
  async ping(): Promise<void> {
    await this.request('ping', {});
  }

  /** Ask for values; nothing changes by it. */
  async ask<M extends keyof Methods>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
    return this.request(method, params);
  }

  /**
   * Ask for a change, once the kernel answers at all.
   *
   * A kernel that runs a cell answers later; until then `queued` has been given a function that
   * takes the request back. Return null if it was taken back.
   */
  async act<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
    queued: (takeBack: () => void) => void,
  ): Promise<{ result: Methods[M]['result'] } | null> {
    let timer = 0;
    const takenBack = new Promise<'taken back'>((resolve) => {
      timer = window.setTimeout(() => {
        queued(() => {
          resolve('taken back');
        });
      }, PATIENCE);
    });
    const first = await Promise.race([this.ping(), takenBack]);
    window.clearTimeout(timer);
    if (first === 'taken back') return null;
    return { result: await this.request(method, params) };
  }

  /**
   * End the running work. Work of a cell keeps the kernel from answering: then the cell is
   * interrupted, as by the notebook's own stop button. Return whether anything could be done.
   */
  async cancel(inCell: boolean): Promise<boolean> {
    const answered = this.request('cancel', {}).then(() => true);
    if (!inCell) return answered;
    const patience = new Promise<false>((resolve) => window.setTimeout(() => { resolve(false); }, PATIENCE));
    if (await Promise.race([answered, patience])) return true;
    const kernel = this.model.widget_manager?.kernel;
    if (!kernel) return false;
    await kernel.interrupt();
    return true;
  }

  dispose(): void {
    this.model.off('msg:custom', this.receive);
  }
}
