/** The plug-in's own words; the rest are the review's. */

import { english } from '../../review/src/words';
import { chinese } from '../../review/src/words_zh';

const own = {
  en: {
    category: 'FastPT Lab',
    transcode: 'Transcode to HIP',
    check: 'Check under HIP',
    reviewThis: 'Review the port',
    problems: 'Problems',
    showProblems: 'Show FastPT Problems',
    launcher: 'Port a CUDA extension',
    filter: 'Filter by text, file or rule',
    none: 'Nothing has been checked on this notebook’s kernel. Run %fastpt_check or %fastpt_review.',
    nothing: 'No problem matches.',
    reviewFix: 'Review fix',
    openFile: 'Open file',
    outside: (path: string) => `${path} lies outside the folder that JupyterLab serves`,
    first: (place: string) => `first: ${place}`,
    compiles: 'compiles',
    same: (count: number) => `${count} more of the same kind`,
  },
  zh: {
    category: 'FastPT Lab',
    transcode: '转码为 HIP',
    check: '在 HIP 下检查',
    reviewThis: '审阅移植',
    problems: '问题',
    showProblems: '显示 FastPT 问题',
    launcher: '移植 CUDA 扩展',
    filter: '按文本、文件或规则筛选',
    none: '此笔记本的内核尚未检查任何内容。请运行 %fastpt_check 或 %fastpt_review。',
    nothing: '没有匹配的问题。',
    reviewFix: '审阅修改',
    openFile: '打开文件',
    outside: (path: string) => `${path} 不在 JupyterLab 提供的文件夹内`,
    first: (place: string) => `首个：${place}`,
    compiles: '编译通过',
    same: (count: number) => `另有 ${count} 个同类问题`,
  },
};

/** Words in JupyterLab's display language. */
export function wordsFor(language: string): { review: typeof english; own: (typeof own)['en'] } {
  return language.toLowerCase().startsWith('zh') ? { review: chinese, own: own.zh } : { review: english, own: own.en };
}
