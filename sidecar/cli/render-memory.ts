/** How what is remembered looks in a terminal. Pure. Must not let control characters through. Called by memory-command.ts. */
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import { ageOf } from './render.ts'
import { terminalLine } from './terminal-text.ts'

/** The number is what `forget` and `correct` take, and never names another entry. */
export function renderKeepsakes(kept: readonly Keepsake[], now: number): string {
  if (kept.length === 0) return 'Nothing is remembered. Say "remember that …" to change that.'
  return kept.map((one) => renderKeepsake(one, now)).join('\n')
}

export function renderKeepsake({ id, number, text, tool, label, told, at }: Keepsake, now: number): string {
  const from = [
    tool ?? 'you said',
    label,
    ...(told ? ['from the open line'] : []),
    `${ageOf(new Date(at).toISOString(), now)} ago`,
  ]
  return `${number === 0 ? terminalLine(id) : number}. ${terminalLine(text)}\n   ${terminalLine(from.join(' · '))}`
}
