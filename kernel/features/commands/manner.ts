/**
 * Words for the owner about answer style and about how a prompt's space is used (P-18, P-30). Words only; they quote
 * nobody. Called by own-commands.ts.
 */
import type { Steering } from '../../prompt/signal/steer.ts'
import type { ContextReport } from '../../prompt/weigh.ts'

export const MODE_HELP =
  'Say /mode execute, build, analyze, maintain or assist, or /mode auto to have each message read for itself. ' +
  '/brief, /thorough and /normal say how long answers should be. This changes how I answer, never what I may do.'

export function mannerText({ mode, verbosity }: Steering): string {
  const read = mode === null ? 'each message is read for itself (auto)' : mode
  const length = verbosity === null ? 'as the matter needs' : verbosity
  return `Mode: ${read}. Length: ${length}.`
}

/** UTF-16 units of the longest name; aligns the numbers. */
const NAME_WIDTH = 24
const NUMBER_WIDTH = 7

/**
 * `model`: id of the model that would read the prompt. `reported`: tokens that it counted in the last prompt, if it
 * counts.
 */
export function contextText(
  { lines, used, window, reserve, free }: ContextReport,
  { model, reported }: { readonly model: string; readonly reported: number | null },
): string {
  const row = (name: string, tokens: number, note = ''): string =>
    `${name.padEnd(NAME_WIDTH)}${String(tokens).padStart(NUMBER_WIDTH)}${note}`
  return [
    `What the next request in this chat takes along, for ${model}, in tokens (estimated):`,
    ...lines.map(({ name, tokens, truncated }) => row(name, tokens, truncated ? '  truncated' : '')),
    row('together', used),
    row('kept for the answer', reserve),
    row('free', free),
    row('window', window),
    ...(reported === null ? [] : [`The last prompt here was ${reported} tokens, as the model counted.`]),
  ].join('\n')
}
