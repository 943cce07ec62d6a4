/** How directive files look in a terminal. Pure. Must not let control characters through. Called by brain-command.ts. */
import type { FileView, VersionView, Written } from '../../kernel/runtime/directive-desk.ts'
import { ageOf } from './render.ts'
import { terminalLine } from './terminal-text.ts'

/** What a new file begins as. */
export const NEW_FILE = '---\nowns: what this file is the one place for\nmode: agent_requested\n---\n'

const WHEN: Readonly<Record<FileView['mode'], string>> = {
  always: 'always there',
  auto_attached: 'comes by itself',
  agent_requested: 'on request',
  manual: 'only when you name it',
}

const WARNINGS: Readonly<Record<FileView['warnings'][number], string>> = {
  mode_invalid:
    'its mode is none of always, auto_attached, agent_requested, manual: it comes only when you name it',
  mode_fixed: 'it is always there, whatever its header says',
  header_missing: 'its header does not say what it owns',
  header_strange: 'its header has lines that mean nothing',
  attaches_never: 'nothing in its header says what it comes along with: tools: … or intents: …',
  over_budget: 'it is longer than it should be: a small model has less room for the work',
  always_over_budget:
    'what every prompt carries is longer than it should be: a small model has less room for the work',
}

export function renderFiles(files: readonly FileView[]): string {
  return files.map(renderFile).join('\n')
}

function renderFile({ name, kind, owns, mode, version, size, budget, warnings }: FileView): string {
  const facts = [
    ...(kind === 'user' ? ['your own'] : []),
    WHEN[mode],
    `version ${version}`,
    `${size}/${budget}`,
  ]
  const notes = warnings.map((warning) => `\n   ! ${WARNINGS[warning]}`)
  return `${name}: ${terminalLine(owns)}\n   ${facts.join(' · ')}${notes.join('')}`
}

/** Newest first; the first is the file as it is. */
export function renderVersions(versions: readonly VersionView[], now: number): string {
  return versions
    .map(({ version, at, text }, index) => {
      const lines = text.split('\n').filter((line) => line.trim() !== '').length
      const age = `${ageOf(new Date(at).toISOString(), now)} ago`
      return `${version}. ${age} · ${lines} lines${index === 0 ? ' · now' : ''}`
    })
    .join('\n')
}

export function renderWritten(name: string, { version, warnings, keptBy }: Written): readonly string[] {
  return [
    ...(version === null ? [] : [`${name} is version ${version}. It holds from the next message on.`]),
    ...warnings.map((warning) => `! ${WARNINGS[warning]}`),
    ...(keptBy.length === 0
      ? []
      : [`! some of these lines stand twice; they belong in ${keptBy.join(', ')}`]),
  ]
}
