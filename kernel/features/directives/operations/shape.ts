/** How directive files, their versions and what a write led to are shown (O-09 – O-13). Pure. Called by the operations on directive files. */
import { MODES } from '../../../directives/mode.ts'
import { ageOf, oneLine } from '../../../operations/lines.ts'
import type { View } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'

const WARNINGS = Object.freeze({
  mode_invalid:
    'its mode is none of always, auto_attached, agent_requested, manual: it comes only when you name it',
  mode_fixed: 'it is always there, whatever its header says',
  header_missing: 'its header does not say what it owns',
  header_strange: 'its header has lines that mean nothing',
  attaches_never: 'nothing in its header says what it comes along with: tools: … or intents: …',
  over_budget: 'it is longer than it should be: a small model has less room for the work',
  always_over_budget:
    'what every prompt carries is longer than it should be: a small model has less room for the work',
})

type WarningName = keyof typeof WARNINGS
const warnings = list(oneOf(Object.keys(WARNINGS) as WarningName[], 'internal'))

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

/** `approval`: the card that lines go by; null where nothing had to be asked. */
export const WRITTEN = record({
  version: maybe(number('internal')),
  approval: maybe(text('internal')),
  warnings,
  keptBy: list(text('internal')),
})

const WHEN: Readonly<Record<ValueOf<typeof FILE>['mode'], string>> = {
  always: 'always there',
  auto_attached: 'comes by itself',
  agent_requested: 'on request',
  manual: 'only when you name it',
}

export function fileWords(file: ValueOf<typeof FILE>): string {
  const { name, kind, owns, mode, version, size, budget, warnings: wrong } = file
  const own = kind === 'user' ? ['your own'] : []
  const facts = [...own, WHEN[mode], `version ${version}`, `${size}/${budget}`]
  const notes = wrong.map((warning) => `\n   ! ${WARNINGS[warning]}`)
  return `${name}: ${oneLine(owns)}\n   ${facts.join(' · ')}${notes.join('')}`
}

/** Newest first; the first is the file as it is. */
export function versionsWords(versions: readonly ValueOf<typeof VERSION>[], { now }: View): string {
  return versions
    .map(({ version, at, text: said }, index) => {
      const lines = said.split('\n').filter((line) => line.trim() !== '').length
      return `${version}. ${ageOf(at, now)} ago · ${lines} lines${index === 0 ? ' · now' : ''}`
    })
    .join('\n')
}

export function writtenWords(
  name: string,
  written: ValueOf<typeof WRITTEN>,
  { say, cardBeside }: View,
): string {
  const { version, approval, warnings: wrong, keptBy } = written
  return [
    ...(version === null ? [] : [`${name} is version ${version}. It holds from the next message on.`]),
    ...wrong.map((warning) => `! ${WARNINGS[warning]}`),
    ...(keptBy.length === 0
      ? []
      : [`! some of these lines stand twice; they belong in ${keptBy.join(', ')}`]),
    ...(approval === null || cardBeside
      ? []
      : [
          `Nothing has gone yet. To let it: ${say('approve', approval)}   To refuse: ${say('deny', approval)}`,
        ]),
  ].join('\n')
}
