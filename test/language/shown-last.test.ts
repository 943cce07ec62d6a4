/** "Reply to the second one" where several tools take those words: what was shown last is meant, and "it" of another tool is none of them. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

type Shown = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor()
const IDS = TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id))

function plan(text: string, shown: readonly Shown[]) {
  const now = Date.parse('2026-11-22T10:30:00Z')
  const fields = EXTRACTOR.extract(text, { now, timezone: 'UTC' }) as { readonly [key: string]: Json }
  return planFor({
    ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
    ...{ directives: [], blocks: [], request: text, history: [], contents: [], troubles: [] },
    ...{ instruction: null, options: [] },
    metadata: [{ root: 'said', action: 'extractor:message:owner', fields }, ...shown],
    tools: IDS.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
    output: {
      ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: 'UTC' },
      now: '2026-11-22T10:30',
    },
  })
}

const rows = (root: string, action: string, list: string, key: string): Shown => ({
  ...{ root, action },
  fields: {
    [list]: {
      count: 3,
      items: [0, 1, 2].map((at) => ({
        [key]: { ref: `${root}.${list}[${at}].${key}`, kind: 'id', size: 'line' },
      })),
    },
  },
})
const mails = (root: string) => rows(root, 'email.list', 'emails', 'id')
const posts = (root: string) => rows(root, 'bluesky.timeline', 'posts', 'post')
const SAID = 'reply to the second one: thank you'

describe('a reply to one of a list', () => {
  it.each<[what: string, shown: readonly Shown[], tools: readonly string[]]>([
    ['of mails', [mails('w1')], ['email.read', 'email.reply']],
    ['of posts', [posts('w1')], ['bluesky.reply']],
    ['of posts, after mails', [posts('w1'), mails('w2')], ['bluesky.reply']],
    ['of mails, after posts', [mails('w1'), posts('w2')], ['email.read', 'email.reply']],
  ])('%s', (_what, shown, tools) =>
    expect(plan(SAID, shown).steps.map((step) => ('tool' in step ? step.tool : ''))).toEqual(tools),
  )

  it('names the row by its place, as it was shown', () =>
    expect(plan(SAID, [posts('w1')]).steps).toMatchObject([
      { tool: 'bluesky.reply', args: { post: { $ref: 'w1.posts[1].post' }, text: 'thank you' } },
    ]))

  it('asks where nothing was shown', () =>
    expect(plan(SAID, [])).toEqual({ steps: [], explanation: 'which_mail' }))
})

describe('an attachment', () => {
  it.each<[said: string, shown: readonly Shown[], tools: readonly string[]]>([
    ['read the attachment of the second one', [mails('w1')], ['email.attachment']],
    ['what does the attachment say?', [], ['email.list', '', 'email.attachment']],
    ["what's in the invitation?", [], ['email.invitation']],
  ])('%s', (said, shown, tools) =>
    expect(plan(said, shown).steps.map((step) => ('tool' in step ? step.tool : ''))).toEqual(tools),
  )

  it('of a place in no list is asked about', () =>
    expect(plan('read the attachment of the second one', [])).toEqual({
      steps: [],
      explanation: 'which_mail',
    }))
})

describe('more', () => {
  const last = (root: string, action: string, next: readonly string[] | null): Shown => ({
    ...{ root, action },
    fields: {
      more: next !== null,
      ...(next !== null && {
        onward: Object.fromEntries(
          next.map((name) => [name, { ref: `${root}.onward.${name}`, kind: 'text', size: 'line' }]),
        ),
      }),
    },
  })
  const NOTHING = { steps: [], explanation: 'nothing_more' }

  it.each([
    ...['more', 'More please', 'show me more', 'read on', 'the next ones', 'next page', 'show me the rest'],
    ...[
      'mehr',
      'weiter',
      'zeig mir die nächsten',
      'lies weiter',
      'noch mehr',
      'the rest',
      'give me the rest of it',
    ],
  ])('%s: the same request with all of its arguments, by reference', (said) =>
    expect(plan(said, [last('w1', 'github.search', ['words', 'part'])]).steps).toEqual([
      {
        ...{ id: 's1', do: 'tool', tool: 'github.search' },
        args: { words: { $ref: 'w1.onward.words' }, part: { $ref: 'w1.onward.part' } },
      },
    ]),
  )

  it.each<[what: string, shown: readonly Shown[], expected: object]>([
    ['nothing was shown', [], NOTHING],
    ['that was all', [last('w1', 'github.search', null)], NOTHING],
    ['another thing was shown since', [mails('w1'), last('w2', 'github.search', ['words'])], NOTHING],
    [
      'a name was only looked up since',
      [last('w1', 'contact.new', null), last('w2', 'files.read', ['file'])],
      { steps: [{ tool: 'files.read', args: { file: { $ref: 'w2.onward.file' } } }] },
    ],
  ])('where %s', (_what, shown, expected) => expect(plan('more', shown)).toMatchObject(expected))
})

describe('a row that was shown is opened by its place', () => {
  const one = (action: string, list: string, key: string) => (root: string) => rows(root, action, list, key)
  const PRS = one('github.list_prs', 'items', 'item')
  const FOUND = one('github.search', 'items', 'item')
  const NOTICES = one('github.list_notifications', 'notifications', 'item')
  const PAGES = one('notion.search', 'pages', 'id')
  const ROWS = one('notion.query_db', 'rows', 'id')
  const RESULTS = one('web.search', 'results', 'url')
  const ITEMS = one('web.feed', 'items', 'link')
  const MEETINGS = one('fireflies.list', 'meetings', 'id')
  it.each<[said: string, shown: readonly Shown[], tool: string, args: object]>([
    ['open the first one', [PRS('w1')], 'github.get_issue', { item: { $ref: 'w1.items[0].item' } }],
    ['the second issue', [FOUND('w1')], 'github.get_issue', { item: { $ref: 'w1.items[1].item' } }],
    ['das dritte', [FOUND('w1')], 'github.get_issue', { item: { $ref: 'w1.items[2].item' } }],
    [
      'show me the last pull request',
      [PRS('w1')],
      'github.get_issue',
      { item: { $ref: 'w1.items[2].item' } },
    ],
    [
      'zeig mir die zweite',
      [NOTICES('w1')],
      'github.get_issue',
      { item: { $ref: 'w1.notifications[1].item' } },
    ],
    ['read the 2nd page', [PAGES('w1')], 'notion.read_page', { page: { $ref: 'w1.pages[1].id' } }],
    ['öffne die erste Seite', [PAGES('w1')], 'notion.read_page', { page: { $ref: 'w1.pages[0].id' } }],
    ['the third entry', [ROWS('w1')], 'notion.read_page', { page: { $ref: 'w1.rows[2].id' } }],
    ['open the second result', [RESULTS('w1')], 'web.read', { url: { $ref: 'w1.results[1].url' } }],
    ['number 3', [RESULTS('w1')], 'web.read', { url: { $ref: 'w1.results[2].url' } }],
    ['read the first article', [ITEMS('w1')], 'web.read', { url: { $ref: 'w1.items[0].link' } }],
    // What was shown last is meant, and an older list where the word is of that alone.
    ['the second one', [PAGES('w1'), PRS('w2')], 'notion.read_page', { page: { $ref: 'w1.pages[1].id' } }],
    [
      'the second issue',
      [PAGES('w1'), PRS('w2')],
      'github.get_issue',
      { item: { $ref: 'w2.items[1].item' } },
    ],
    [
      'the second one',
      [MEETINGS('w1'), mails('w2')],
      'fireflies.get_transcript',
      { meeting: { $ref: 'w1.meetings[1].id' } },
    ],
    ['the second mail', [RESULTS('w1'), mails('w2')], 'email.read', { id: { $ref: 'w2.emails[1].id' } }],
  ])('%s', (said, shown, tool, args) =>
    expect(plan(said, shown).steps).toEqual([{ id: 's1', do: 'tool', tool, args }]),
  )

  it.each<[said: string, shown: readonly Shown[]]>([
    ['the fourth one', [PRS('w1')]],
    ['the second one', []],
    ['the second issue', [PAGES('w1')]],
  ])('%s, of which nothing was shown, opens nothing', (said, shown) =>
    expect(plan(said, shown).steps).toEqual([]),
  )
})

describe('a column of a row of Notion', () => {
  const ROWS = rows('w1', 'notion.query_db', 'rows', 'id')
  const ONE = { $ref: 'w1.rows[1].id' }
  const READ: Shown = {
    ...{ root: 'w1', action: 'notion.read_page' },
    fields: { id: { ref: 'w1.id', kind: 'id', size: 'line' } },
  }
  it.each<[said: string, shown: readonly Shown[], args: object]>([
    ['mark the second one done', [ROWS], { row: ONE, to: 'done' }],
    ['mark the second row as done', [ROWS], { row: ONE, to: 'done' }],
    ['mark it as done', [READ], { row: { $ref: 'w1.id' }, to: 'done' }],
    ['markiere den zweiten als erledigt', [ROWS], { row: ONE, to: 'erledigt' }],
    ['setz Status auf Erledigt', [READ], { row: { $ref: 'w1.id' }, column: 'Status', to: 'Erledigt' }],
    ['set the due date of the second one to Friday', [ROWS], { row: ONE, column: 'due date', to: 'Friday' }],
    ['set the column Budget of it to 300', [READ], { row: { $ref: 'w1.id' }, column: 'Budget', to: '300' }],
    ['set due of the tax row to Friday', [], { row: 'tax', column: 'due', to: 'Friday' }],
    ['mark Call Tom as done in notion', [], { row: 'Call Tom', to: 'done' }],
    ['set the status of Call Tom in notion to Doing', [], { row: 'Call Tom', column: 'status', to: 'Doing' }],
  ])('%s', (said, shown, args) =>
    expect(plan(said, shown).steps).toEqual([{ id: 's1', do: 'tool', tool: 'notion.set_cell', args }]),
  )

  it.each<[said: string, shown: readonly Shown[]]>([
    ['mark it as done', [ROWS]],
    ['mark it as done', []],
    ['set status to done', [mails('w1')]],
  ])('%s, where nothing says which row, changes nothing', (said, shown) =>
    expect(plan(said, shown).steps.map((step) => ('tool' in step ? step.tool : ''))).not.toContain(
      'notion.set_cell',
    ),
  )
})
