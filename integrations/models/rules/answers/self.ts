/**
 * What the assistant says about itself, from the typed description in its prompt (M-05, M-29): its name, what is connected, earlier
 * topics. Must not claim what the description lacks. Called by answer.ts and model.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { SelfKind, SelfSection } from '../../../../kernel/self/section.ts'
import { nameIn } from '../../../../kernel/self/snapshot.ts'
import { MINUTE } from '../../../dates/zone.ts'
import * as words from '../words.ts'
import { createClock, moment } from './clock.ts'

type SectionOf<K extends SelfKind> = Extract<SelfSection, { kind: K }>

export function nameOf(parts: PromptParts): string {
  return nameIn(parts.self.sections)
}

/** Names of the services that are connected, as tools name their credentials. */
export function connectedIn(parts: PromptParts): ReadonlySet<string> {
  return new Set((sectionOf(parts, 'integrations')?.items ?? []).map(({ name }) => name))
}

/** One line for each kind of configured thing; none if nothing is configured. */
export function setUpOf(parts: PromptParts): readonly string[] {
  const services = sectionOf(parts, 'integrations')?.items ?? []
  const skills = sectionOf(parts, 'skills')?.items ?? []
  const jobs = sectionOf(parts, 'jobs')?.items ?? []
  return [
    ...line(
      words.SELF.connected,
      services.map(({ name, state }) => `${name}${words.STATES[state]}`),
    ),
    ...line(
      words.SELF.skills,
      skills.map(({ name }) => name),
    ),
    ...line(
      words.SELF.jobs,
      jobs.map(({ name, note }) => (note === '' ? name : `${name} (${note})`)),
    ),
  ]
}

/** The owner's own earlier messages, newest first. */
export function recentOf(parts: PromptParts): string {
  const turns = sectionOf(parts, 'recent')?.turns ?? []
  if (turns.length === 0) return words.SELF.nothing_recent
  const { now } = createClock(parts.output)
  const lines = turns
    .toReversed()
    .map((turn) => `- ${moment(now - turn.minutes * MINUTE, now)}: "${turn.words}"`)
  return [words.SELF.recent, ...lines].join('\n')
}

function line(intro: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${intro} ${names.join(', ')}.`]
}

function sectionOf<K extends SelfKind>({ self }: PromptParts, kind: K): SectionOf<K> | undefined {
  return self.sections.find((section): section is SectionOf<K> => section.kind === kind)
}
