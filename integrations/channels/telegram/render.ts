/**
 * Renders runs as Telegram messages within Telegram's length limit, with entities counted in UTF-16 units. Must change no character
 * except white space at a message's ends. Called by sender.ts.
 */
import type { MessageEntity } from 'grammy/types'
import { cutAfter, type Run, type Style } from '../runtime/markdown.ts'

export interface Part {
  readonly text: string
  readonly entities: readonly MessageEntity[]
}

/** UTF-16 units of one message; Telegram refuses a longer one. */
export const MAX_MESSAGE = 4_096
/** Most entities of one message: Telegram drops further ones. */
const MAX_ENTITIES = 100

/** Returns no empty message. */
export function partsOf(runs: readonly Run[], most = MAX_MESSAGE): readonly Part[] {
  const text = runs.map((run) => run.text).join('')
  const entities = entitiesOf(runs)
  const parts: Part[] = []
  let at = 0
  while (at < text.length) {
    const end = cutAfter(text, at, most)
    const part = partOf({ text, entities }, at, end)
    if (part !== null) parts.push(part)
    at = end
  }
  return parts
}

/** Telegram trims messages, which would shift every entity: so they are trimmed here. */
function partOf(whole: Part, from: number, to: number): Part | null {
  const raw = whole.text.slice(from, to)
  const text = raw.trim()
  if (text === '') return null
  const start = from + raw.length - raw.trimStart().length
  const end = start + text.length
  const entities = whole.entities.flatMap((entity) => {
    const first = Math.max(entity.offset, start)
    const last = Math.min(entity.offset + entity.length, end)
    return last > first ? [{ ...entity, offset: first - start, length: last - first }] : []
  })
  return { text, entities: entities.slice(0, MAX_ENTITIES) }
}

/** Merges adjacent ranges of the same style into one entity. */
function entitiesOf(runs: readonly Run[]): readonly MessageEntity[] {
  const made: MessageEntity[] = []
  const open = new Map<Style, number>()
  let offset = 0
  for (const { text, styles, language } of runs) {
    for (const style of [...open.keys()]) if (!styles.includes(style)) open.delete(style)
    for (const style of styles) {
      const at = open.get(style)
      const entity = at === undefined ? undefined : made[at]
      if (at !== undefined && entity !== undefined)
        made[at] = { ...entity, length: entity.length + text.length }
      else open.set(style, made.push(entityOf(style, { offset, length: text.length, language })) - 1)
    }
    offset += text.length
  }
  return made
}

function entityOf(
  style: Style,
  { offset, length, language }: { offset: number; length: number; language: string | undefined },
): MessageEntity {
  if (style === 'pre') return { type: 'pre', offset, length, ...(language !== undefined && { language }) }
  return { type: style, offset, length }
}
