/**
 * The order of a prompt's text (DESIGN §4; reasons: docs/decisions/006). Four stretches, from constant to per call, so that
 * each call shares the longest prefix with the one before: identity, rules, self, role; tools and short rules; the
 * conversation, which only grows at its end; then the time, data and the request. Pure text; called by finalize.ts.
 */
import { canonicalJson, type Json } from '../flow/json.ts'
import { renderSelf } from '../self/render.ts'
import type { SelfSection } from '../self/section.ts'
import { nameIn } from '../self/snapshot.ts'
import type { BlockName } from './blocks.ts'
import { named } from './identity.ts'
import type { DirectivePlace, PromptParts, PromptTexts } from './parts.ts'
import { dataBlock } from './sanitize-block.ts'
import { contentText, metadataText } from './shown.ts'

/** A prompt's stretches, in order. */
export interface Layout {
  /** Byte for byte equal over the calls of one purpose, until the assistant itself changes. Contains no time, id or version. */
  readonly stable: string
  /** Equal until the template, the reach of its tools or the owner's files change. Its end is the system's last line. */
  readonly session: string
  /** Pieces that end in a line break. A later call begins with the same pieces, so nothing in them counts, dates or renames. */
  readonly history: readonly string[]
  /** For this call only. */
  readonly now: string
}

export function layOut(
  parts: PromptParts,
  texts: PromptTexts,
  { boundary, identity }: { readonly boundary: string; readonly identity: string },
): Layout {
  const { sections, version } = parts.self
  const told = sections.filter((each) => !isToldAnyway(each, parts))
  const self = renderSelf({ sections: told, audience: parts.audience, words: texts.self })
  const own = (place: DirectivePlace): readonly string[] =>
    parts.directives.filter((each) => each.place === place).map(({ name, text }) => `## ${name}\n${text}`)
  const role = texts.roles[parts.purpose]
  const { now: localTime, ...form } = parts.output
  const stable = [identity, texts.rules, self.stable, role, parts.document, ...own('stable')]
  const blocks = (which: (name: BlockName) => boolean): readonly string[] =>
    parts.blocks
      .filter(({ name }) => which(name))
      .map(({ name, text, outside }) =>
        outside === true
          ? dataBlock({ boundary, name, body: canonicalJson(text) })
          : `[${TOLD_AS[name] ?? name}] ${text}`,
      )
  const session = [
    ...blocks(isOfSession),
    ...section('tools', parts.tools.map(jsonOf)),
    `[output] ${canonicalJson({ ...form })}`,
    ...own('session'),
    ...own('last'),
    named(texts.lastRules, nameIn(sections)),
  ]
  const now = [
    `[self ${version}] [now ${localTime}]`,
    self.volatile,
    ...blocks((name) => !isOfSession(name)),
    ...own('dynamic'),
    ...section('metadata', parts.purpose === 'plan' ? metadataText(parts.metadata) : []),
    ...parts.contents.map((view) =>
      dataBlock({
        boundary,
        name: `${view.root} ${view.action}`,
        body: contentText(view, parts.output.timezone),
      }),
    ),
    ...section('not done', parts.troubles.map(jsonOf)),
    ...section('instruction', parts.instruction === null ? [] : [jsonOf(parts.instruction)]),
    ...section('options', parts.options.map(jsonOf)),
    `[request]\n${parts.request}`,
  ]
  return { stable: joined(stable), session: joined(session), history: historyOf(parts), now: joined(now) }
}

/** The name that SYSTEM.md uses for the block. */
const TOLD_AS: Partial<Readonly<Record<BlockName, string>>> = Object.freeze({ signal_overlay: 'signal' })

/** The environment changes when home goes offline or another model is asked, not with a message. */
function isOfSession(name: BlockName): boolean {
  return name === 'environment'
}

/** Minutes of silence after which the last turns are shown with their times, although the conversation has them too. */
const PAUSE = 10

/**
 * In an ongoing conversation its own lines show the recent turns. After a pause or a restart, this section adds their times.
 */
function isToldAnyway(section: SelfSection, { history }: PromptParts): boolean {
  if (section.kind !== 'recent' || history.length === 0) return false
  return Math.min(...section.turns.map(({ minutes }) => minutes)) < PAUSE
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`[${name}]\n${lines.join('\n')}`]
}

/** One line, whatever it contains. */
function jsonOf(item: unknown): string {
  return canonicalJson(item as Json)
}

/**
 * The heading is a piece of its own, present before the first turn: a provider can cache everything before the conversation,
 * even after the oldest turns are cut off. A greeting without tools has neither.
 */
function historyOf({ history, tools }: PromptParts): readonly string[] {
  if (history.length === 0 && tools.length === 0) return []
  return ['[history]', ...history].map((piece) => `${piece}\n`)
}
