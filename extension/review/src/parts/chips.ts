/** Trust as three separate facts: applicability, trial, CUDA view. */

import { chip } from '../dom';
import type { Action, Trial } from '../wire';
import type { Words } from '../words';

function applicability(action: Action, words: Words): HTMLElement {
  if (action.applicability === 'safe') return chip('shield', words.safe[0], 'ok', words.safe[1]);
  if (action.applicability === 'unsafe') return chip('eye', words.look[0], 'warn', words.look[1]);
  return chip('bulb', words.adviceOnly[0], 'info', words.adviceOnly[1]);
}

/** `csrc/mlp.cu:41:10: no matching…` in a chip is `mlp.cu:41`. */
function shortError(error: string): string {
  const place = /^(.*?):(\d+)/.exec(error);
  return place ? `${place[1]?.split('/').at(-1) ?? ''}:${place[2] ?? ''}` : error;
}

/** What the trial measured, in words. */
export function trialText(trial: Trial, words: Words): string {
  const next = trial.first_error_after ?? null;
  if (trial.status === 'fixed') return trial.errors_after ? words.trialFixes(null) : words.trialCompiles;
  if (trial.status === 'advanced') return words.trialFixes(next && shortError(next));
  return { unchanged: words.trialUnchanged, worse: words.trialWorse, 'not-run': words.trialNotRun }[trial.status];
}

function trial(action: Action, words: Words, running: number | null): HTMLElement {
  if (running !== null) {
    const element = chip('busy', words.trialRunning(running), 'info');
    element.dataset['name'] = 'trial-clock';
    return element;
  }
  const tone = ({ fixed: 'ok', advanced: 'ok', unchanged: 'warn', worse: 'error', 'not-run': '' } as const)[action.trial.status];
  return chip('flask', trialText(action.trial, words), tone, action.trial.first_error_after ?? undefined);
}

function cudaView(action: Action, words: Words): HTMLElement {
  if (action.cuda_effect === 'identical') return chip('same', words.cudaSame[0], 'ok', words.cudaSame[1]);
  if (action.cuda_effect === 'attribute-only') return chip('info', words.cudaAttribute[0], 'info', words.cudaAttribute[1]);
  return chip('error', words.cudaDiffers[0], 'error', words.cudaDiffers[1]);
}

/** The chips of an action; `running` is how long its trial has been running, in seconds. */
export function chips(action: Action, words: Words, running: number | null): HTMLElement[] {
  if (action.kind !== 'edit') return [applicability(action, words)];
  return [applicability(action, words), trial(action, words, running), cudaView(action, words)];
}
