/**
 * Prompt parts as the kernel opens them, with a fixed moment: Sunday 22 November 2026, 11:30 in Berlin. `spoken`
 * runs a sentence through the real extractor and the kernel's own projection. Called by the language tests.
 */
import { readFileSync } from 'node:fs'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts, ToolCard } from '../../kernel/prompt/parts.ts'

export const NOW = Date.parse('2026-11-22T10:30:00Z')
export const TIMEZONE = 'Europe/Berlin'

export const ALL_TOOLS: readonly string[] = [
  'email.list',
  'email.read',
  'calendar.list_events',
  'calendar.freebusy',
  'calendar.create_event',
  'web.read',
  'memory.save',
  'memory.search',
  'message.reply',
]

export function toolCard(id: string): ToolCard {
  return { id, description: `Card of ${id}.`, semantics: 'read', args: {}, gives: '' }
}

export function promptParts(changes: Partial<PromptParts> = {}): PromptParts {
  return {
    purpose: 'synthesize',
    audience: 'owner',
    self: { version: '00000000', sections: [] },
    document: '',
    directives: [],
    blocks: [],
    request: '',
    history: [],
    metadata: [],
    contents: [],
    tools: ALL_TOOLS.map(toolCard),
    troubles: [],
    instruction: null,
    options: [],
    output: {
      sink: 'sink:terminal:owner',
      maxChars: 3_500,
      format: 'plain',
      timezone: TIMEZONE,
      now: '2026-11-22T11:30',
    },
    ...changes,
  }
}

const EXTRACTOR = createMessageExtractor()

export function extracted(text: string, now = NOW, timezone = TIMEZONE): Record<string, Json> {
  return EXTRACTOR.extract(text, { now, timezone }) as Record<string, Json>
}

/** Texts, addresses and ids are handles for a planner; the rest shows. */
export function saidMetadata(text: string): PromptParts['metadata'][number] {
  const hidden: Readonly<Record<string, string>> = {
    person: 'text',
    topic: 'text',
    url: 'url',
    email: 'email',
  }
  const fields = Object.fromEntries(
    Object.entries(extracted(text)).map(([name, value]) => {
      const kind = hidden[name]
      return [name, kind === undefined ? value : { ref: `said.${name}`, kind, size: 'line' }]
    }),
  )
  return {
    root: 'said',
    action: 'extractor:message:owner',
    fields: fields as PromptParts['metadata'][number]['fields'],
  }
}

/** Parts for an answer to `text` with results given as action → content. */
export function spoken(
  text: string,
  contents: readonly (readonly [string, Json])[] = [],
  changes: Partial<PromptParts> = {},
): PromptParts {
  return promptParts({
    request: text,
    metadata: [saidMetadata(text)],
    contents: contents.map(([action, content], index) => ({ root: `s${index + 1}`, action, content })),
    ...changes,
  })
}

export function promptText(name: string): string {
  return readFileSync(new URL(`../../templates/prompts/${name}.md`, import.meta.url), 'utf8')
}
