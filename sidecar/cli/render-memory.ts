/** How what is remembered looks in a terminal. Pure. Must not let control characters through. Called by memory-command.ts. */
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import { ageOf } from './render.ts'
import { terminalLine } from './terminal-text.ts'

/** Numbered from 1: the number is what `forget` and `correct` take. */
export function renderKeepsakes(kept: readonly Keepsake[], now: number): string {
  if (kept.length === 0) return 'Nothing is remembered. Say "remember that …" to change that.'
  return kept.map((one, index) => renderKeepsake(one, index + 1, now)).join('\n')
}

function renderKeepsake({ text, tool, label, told, at }: Keepsake, number: number, now: number): string {
  const from = [
    tool ?? 'you said',
    label,
    ...(told ? ['from the open line'] : []),
    `${ageOf(new Date(at).toISOString(), now)} ago`,
  ]
  return `${number}. ${terminalLine(text)}\n   ${terminalLine(from.join(' · '))}`
}
