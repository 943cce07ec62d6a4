/**
 * Splits a message into list entries. Pure; must not decide what is done with them. Called by reminder.ts, by
 * the reader of own things, and by the rules planner.
 */

import { thingsInRow } from './goods.ts'

/** Items of one request. */
const MOST_ITEMS = 12

/** One thing, whatever it says. */
export function isQuoted(topic: string): boolean {
  return /^(?:"[^"]+"|“[^“”]+”|„[^„“”]+[“”])$/.test(topic.trim())
}

/**
 * The things of a list that one message names: `milk and eggs`. One thing if a part would be a sentence of
 * its own.
 */
export function itemsOf(topic: string): readonly string[] {
  if (isQuoted(topic)) return [topic.trim().slice(1, -1)]
  const items = topic
    .replace(OWN_LIST, '')
    .replace(IN_BRACKETS, kept)
    .replace(NUMBERED, (_, __: string, at: number) => (at === 0 ? '' : ';'))
    .split(
      /\s*(?:(?<!\d),|,(?!\d)|;|(?<=\s)\/(?=\s))\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+|\s+(?:&|\+|n|'n'?)\s+|\s*\n\s*/i,
    )
    .map((item) =>
      restored(item)
        .trim()
        .replace(/^(?:also|auch|plus|noch)\s+(?=\S)/i, ''),
    )
    .filter((item) => item !== '' && !POINTS.test(item) && !SIGHS.test(item))
    .flatMap(thingsInRow)
  const most = items.length > 2 ? ITEM_WORDS_OF_MANY : ITEM_WORDS
  const isList =
    items.length <= MOST_ITEMS &&
    items.every((item) => item.replace(IN_BRACKETS, '').trim().split(/\s+/).length <= most)
  return isList ? items : [topic]
}

/** "Town list - drench, twine": which list it is. */
const OWN_LIST =
  /^(?:\p{L}+ )?(?:shopping|list|groceries|einkauf|\p{L}*liste|\p{L}*zettel|to-?do|todos?)\s*(?:[:=→>]|[-–—](?=\s))\s*/iu
/** Characters that join things, and what stands for them within brackets. */
const JOINS = ',;/&+ '
const FIRST_KEPT = 0xe000

function kept(inner: string): string {
  return inner.replace(/[,;/&+ ]/g, (mark) => String.fromCharCode(FIRST_KEPT + JOINS.indexOf(mark)))
}

function restored(item: string): string {
  return item.replace(/[\ue000-\ue005]/g, (mark) => JOINS[mark.charCodeAt(0) - FIRST_KEPT] ?? '')
}

const IN_BRACKETS = /\([^()]{1,60}\)/g
/** "1) chase the invoice 2) renew the domain": from one on, each a thing. */
const NUMBERED = /\s*(?<!\S)(\d{1,2})[.)]\s+(?=\p{L})/gu

const ITEM_WORDS = 4
const ITEM_WORDS_OF_MANY = 6

const SIGHS = /^(?:oh|ooh|ah|ach|um+|hm+|ähm?|ok|okay|so|ja|yes)$/iu

/** "Add them to the list", beside the things themselves: what is asked, and no thing. */
const POINTS =
  /^(?:(?:please|just|bitte) )*(?:add|put|stick|pop|chuck|write|note|jot|setz\p{L}*|pack\p{L}*|schreib\p{L}*|tu\p{L}*) (?:it|them|those|these|both|that|sie|es|die|das|beide[ns]?|alles)(?: (?:all|both|bitte|please))?(?: (?:on|onto|down|to|in|drauf|rauf|dazu|auf)(?!\p{L})[^,;]*)?$/iu
