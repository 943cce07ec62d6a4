/**
 * How directive files, their versions and the result of a write are shown (O-09 – O-13). Pure. Called by the
 * operations on directive files.
 */
import { MODES } from '../../../directives/mode.ts'
import { ageOf, oneLine } from '../../../operations/lines.ts'
import type { Telling } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'

const WARNINGS = [
  'mode_invalid',
  'mode_fixed',
  'header_missing',
  'header_strange',
  'attaches_never',
  'over_budget',
  'always_over_budget',
] as const

const warnings = list(oneOf(WARNINGS, 'internal'))

export const FILE = record({
  name: text('internal'),
  kind: oneOf(['core', 'contextual', 'user'], 'internal'),
  owns: text('sensitive'),
  mode: oneOf(MODES, 'internal'),
  version: number('internal'),
  at: number('internal'),
  size: number('internal'),
  budget: number('internal'),
  warnings,
})

export const VERSION = record({
  name: text('internal'),
  version: number('internal'),
  at: number('internal'),
  text: text('sensitive'),
})

/** `approval`: card for the removal of lines; null when none was needed. */
export const WRITTEN = record({
  version: maybe(number('internal')),
  approval: maybe(text('internal')),
  warnings,
  keptBy: list(text('internal')),
})

export function fileWords(file: ValueOf<typeof FILE>, { tell }: Telling): string {
  const { name, kind, owns, mode, version, size, budget, warnings: wrong } = file
  const own = kind === 'user' ? [tell('directives.own')] : []
  const facts = [
    ...own,
    tell(`directives.when_${mode}`),
    tell('directives.version', { version }),
    `${size}/${budget}`,
  ]
  const notes = wrong.map((warning) => `\n   ! ${tell(`directives.${warning}`)}`)
  return `${name}: ${oneLine(owns)}\n   ${facts.join(' · ')}${notes.join('')}`
}

/** Newest first; the first is the current file. */
export function versionsWords(versions: readonly ValueOf<typeof VERSION>[], { now, tell }: Telling): string {
  return versions
    .map(({ version, at, text: said }, index) => {
      const lines = said.split('\n').filter((line) => line.trim() !== '').length
      const row = tell('directives.past', { version, age: ageOf(at, now), lines })
      return index === 0 ? tell('directives.newest', { row }) : row
    })
    .join('\n')
}

export function writtenWords(
  name: string,
  written: ValueOf<typeof WRITTEN>,
  { say, tell, cardBeside }: Telling,
): string {
  const { version, approval, warnings: wrong, keptBy } = written
  return [
    ...(version === null ? [] : [tell('directives.kept', { name, version })]),
    ...wrong.map((warning) => `! ${tell(`directives.${warning}`)}`),
    ...(keptBy.length === 0 ? [] : [`! ${tell('directives.twice', { files: keptBy.join(', ') })}`]),
    ...(approval === null || cardBeside
      ? []
      : [tell('directives.asks', { yes: say('approve', approval), no: say('deny', approval) })]),
  ].join('\n')
}
