/** Phrases of requests about recorded meetings in Fireflies, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

/** Typed values of a meeting only: they may be written without an approval once the owner has permitted it. */
function logged(meeting: object) {
  const row = Object.fromEntries(
    [
      ['date', 'date'],
      ['number', 'minutes'],
      ['people', 'participants'],
      ['topics', 'topics'],
      ['agreed', 'agreed'],
    ].map(([argument, field]) => [argument, { $ref: `s1.${field}` }] as const),
  )
  return [
    { id: 's1', do: 'tool', tool: 'fireflies.get_transcript', args: { ...meeting } },
    { id: 's2', do: 'tool', tool: 'notion.add_row', args: { database: '{log}', ...row } },
  ] as const
}

/** Also adds the summary of Fireflies' own model to the page of the row: that is text, and needs an approval. */
function summarised(meeting: object) {
  const args = { page: { $ref: 's2.id' }, text: { $ref: 's1.overview' } }
  return [...logged(meeting), { id: 's3', do: 'tool', tool: 'notion.append', args }] as const
}

const LAST = '<log> [my|the|our] <last> [fireflies|recorded] <one>'
const NAMED = '<log> [my|the|our] [fireflies|recorded] <one> (of|about|on|called) {what}'
const WHERE = '(in|into|to|at|under) [my|the|our] [notion] [log|database|table] {log}'
const SUMMED = '(with|and|including) (its|the|a) summary'

export const FIREFLIES_PHRASES: Phrases = {
  thing: {
    ...{ lists: ['fireflies.list'], list: 'meetings', first: 'none', one: [], only: [] },
    ...{ unknown: 'not_understood', called: 'transcripts?' },
    opens: step('fireflies.get_transcript', { meeting: '{one.id}' }),
  },
  matter: {
    name: 'meeting_log',
    // A typed place in Notion, and a recorded conversation.
    mentions:
      '^(?=.*\\bnotion\\.(?:so|site|com)/)(?=.*\\b(?:meetings?|calls?|transcripts?|recordings?|besprechung(?:en)?)\\b)',
    asks: '^(?:(?:please|can you|could you|bitte|kannst du) ){0,2}(?:log|record|enter|file|add|put|write|save|trag|trage|schreib|schreibe)(?![a-z])',
    but: '\\b(?:e?mails?|inbox|calendar|appointments?|remind|reminders?|files?|issues?|kalender|termine?)\\b',
  },
  shapes: {
    log: {
      pattern: 'https?://(?:[a-z0-9-]+\\.)*notion\\.(?:so|site|com)/\\S{1,300}',
      example: 'https://www.notion.so/Log-0123456789abcdef0123456789abcdef',
    },
  },
  lists: {
    en: {
      log: words('log / record / enter / file / write down / note down / add / put'),
      one: words('meeting / call / transcript / recording'),
      look: words('show / show me / list / get / get me / what are / check'),
      read: words('show / show me / open / read / read me / get / get me / summarise / summarize'),
      rows: words('meetings / transcripts / recordings / meeting transcripts / recorded meetings'),
      last: words('last / latest / newest / most recent'),
      in_fireflies: words('in fireflies / from fireflies / on fireflies / in my fireflies'),
    },
    de: { one: words('meeting / gespräch / besprechung / transkript') },
  },
  asks: [
    {
      says: {
        en: [
          '[<look>] [my|the] [<last>|new] fireflies <rows>',
          '<look> [my|the] [<last>|new] <rows> <in_fireflies>',
          "(what's|what is) new (in|on) fireflies",
        ],
      },
      plan: step('fireflies.list', {}),
    },
    {
      says: {
        en: [
          'search [my] fireflies for {what}',
          '(find|search for|look for) [the] (meeting|<rows>) (about|on|with) {what} <in_fireflies>',
          '(find|search for|look for) [my] fireflies <rows> (about|on) {what}',
        ],
      },
      plan: step('fireflies.list', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '<read> [my|the] <last> fireflies (transcript|meeting|recording)',
          '<read> [my|the] transcript of [my|the] <last> (fireflies meeting|meeting <in_fireflies>)',
        ],
      },
      plan: step('fireflies.get_transcript', {}),
    },
    {
      says: {
        en: [
          '<read> [the|my] fireflies (transcript|recording) (of|about|for) [the] {what}',
          '<read> [the|my] (transcript|recording) of [the] {what} <in_fireflies>',
        ],
      },
      plan: step('fireflies.get_transcript', { meeting: '{what}' }),
    },
    {
      addressed: true,
      says: {
        en: [`${LAST} ${WHERE}`],
        de: ['(trag|trage|schreib|schreibe) [bitte] [mein|das] (letztes|letzte) <one> in {log} [ein]'],
      },
      plan: logged({}),
    },
    { addressed: true, says: { en: [`${NAMED} ${WHERE}`] }, plan: logged({ meeting: '{what}' }) },
    {
      addressed: true,
      says: {
        en: [`${LAST} ${WHERE} ${SUMMED}`, `${LAST} ${SUMMED} ${WHERE}`],
        de: [
          '(trag|trage|schreib|schreibe) [bitte] [mein|das] (letztes|letzte) <one> mit [der] zusammenfassung in {log} [ein]',
        ],
      },
      plan: summarised({}),
    },
    {
      addressed: true,
      says: { en: [`${NAMED} ${WHERE} ${SUMMED}`, `${NAMED} ${SUMMED} ${WHERE}`] },
      plan: summarised({ meeting: '{what}' }),
    },
  ],
}
