/** What somebody would type who uses a sentence of a tool package: its alternatives by turns, with words in its slots. Called by contract.ts. */
import type { Phrases, WordLists } from '../../integrations/tools/phrase.ts'

const SLOTS: Readonly<Record<string, string>> = {
  ...{
    nth: 'third',
    whose: "Sarah's",
    address: 'https://example.org/a',
    site: 'example.org/feed.xml',
    when: 'tomorrow',
    day: 'tomorrow',
    topic: 'Zed',
  },
}

/** `turn` chooses among alternatives: 0 takes the first of each, and so on, over and over. */
export function exampleOf(
  sentence: string,
  lists: WordLists,
  turn: number,
  shapes: Phrases['shapes'] = {},
): string {
  const [main = '', ...beside] = sentence.split(/ (?=[+-] )/)
  const wanted = beside.filter((part) => part.startsWith('+')).map((part) => part.slice(2))
  return [main, ...wanted]
    .map((part) => filled(part, { lists, shapes }, turn))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function filled(
  part: string,
  { lists, shapes }: { readonly lists: WordLists; readonly shapes: NonNullable<Phrases['shapes']> },
  turn: number,
): string {
  const chosen = (all: readonly string[]): string => all[turn % all.length] ?? ''
  let text = part.replace(/!\([^()]*\)|\.\.\./g, '')
  for (let before = ''; before !== text; ) {
    before = text
    text = text
      .replace(/<(\w+)>\*?/g, (_, name: string) => `(${(lists[name] ?? []).join('|')})`)
      .replace(/!\([^()]*\)/g, '')
      .replace(/\(([^()[\]]*)\)/g, (_, all: string) => chosen(all.split('|')))
      .replace(/\[([^()[\]]*)\]/g, (_, all: string) => chosen([...all.split('|'), '']))
  }
  return text
    .replace(/\{(?:any|plain) (\d)-\d\}/g, (_, least: string) => 'some '.repeat(Number(least)))
    .replace(/\{(\w+)\}/g, (_, slot: string) => shapes[slot]?.example ?? SLOTS[slot] ?? 'Zed')
}
