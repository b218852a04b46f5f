/** anywidget's entry: one live view for each output cell that shows the session. */

import { Client, type Model } from './client';
import { Review } from './review';
import type { Activity, Snapshot } from './wire';
import { english } from './words';
import { chinese } from './words_zh';

/** The display language: the one asked for, else that of the page JupyterLab gives us. */
function languageOf(model: Model): 'en' | 'zh-CN' {
  const asked = String(model.get('language')) || document.documentElement.lang;
  return asked.toLowerCase().replace('_', '-').startsWith('zh') ? 'zh-CN' : 'en';
}

/** The static copy beside this view, in the same output area: shown only where no view lives. */
function staticCopies(element: HTMLElement): HTMLElement[] {
  const area = element.closest('.jp-OutputArea');
  if (!area) return [];
  return [...area.querySelectorAll('.fpt-static')]
    .map((copy) => copy.closest<HTMLElement>('.jp-OutputArea-child'))
    .filter((child): child is HTMLElement => child !== null && !child.contains(element));
}

function hideStatic(element: HTMLElement): () => void {
  let hidden: HTMLElement[] = [];
  const frame = requestAnimationFrame(() => {
    hidden = staticCopies(element);
    for (const child of hidden) child.style.display = 'none';
  });
  return () => {
    cancelAnimationFrame(frame);
    for (const child of hidden) child.style.display = '';
  };
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const client = new Client(model);
  const language = languageOf(model);
  const snapshot = (): Snapshot => model.get('snapshot') as Snapshot;
  const activity = (): Activity | null => model.get('activity') as Activity | null;
  const words = language === 'en' ? english : chinese;
  const review = new Review(client, words, snapshot(), activity(), language);
  const changed = (): void => { review.take(snapshot()); };
  const worked = (): void => { review.setActivity(activity()); };
  const liveness = (): void => {
    // The kernel's end of the channel came or went: whoever answers is alive.
    review.setLive(false);
    void client.ping().then(() => { review.setLive(true); });
  };
  model.on('change:snapshot', changed);
  model.on('change:activity', worked);
  model.on('comm_live_update', liveness);
  el.append(review.dom);
  const restore = hideStatic(el);
  return () => {
    model.off('change:snapshot', changed);
    model.off('change:activity', worked);
    model.off('comm_live_update', liveness);
    client.dispose();
    review.dispose();
    restore();
  };
}

export default { render };
