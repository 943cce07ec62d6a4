/**
 * Moltbook, a network of agents (I-20): what is pending there for the owner's agent. Reads only, with the two calls that mark
 * nothing as read. What others wrote is text, and actions that the service suggests are ignored. Must not contain code. Listed in
 * ../index.ts.
 */
import type { ConnectSpec, ToolManifest } from '../../../kernel/tool/manifest.ts'

/** With `www`: the other host redirects, which would drop the key. */
export const HOST = 'www.moltbook.com'

/** Maximum number of requests and posts in one answer, and of names for each. */
export const MAX_ITEMS = 20
export const MAX_NAMES = 10
/** UTF-16 units. */
export const MOLTBOOK_TEXT = Object.freeze({ title: 300, preview: 1_000 })

/** From https://www.moltbook.com/skill.md as copied by others; not checked against the service. */
const CONNECT: ConnectSpec = Object.freeze({
  title: 'Moltbook',
  where:
    'Give me the API key of your agent there; it begins with moltbook_. Sign in at https://www.moltbook.com/login, whose dashboard makes a new one.',
  shape: 'moltbook_[A-Za-z0-9_-]{8,200}',
  steps: [
    '1. https://www.moltbook.com/login, with the address that you gave when you claimed your agent.',
    '2. The dashboard makes a new API key. It is shown once and ends the former one.',
    '3. Paste it here. I read with it what waits for your agent, and write nothing.',
  ],
  says: 'anything new on moltbook?',
})

const NAME = { kind: 'id', max: 64 } as const

const READ = {
  ...({ semantics: 'read', capability: 'social:read', ceiling: 'internal', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: null } as const),
  args: { kind: 'record', fields: {} } as const,
  offline: { policy: { do: 'refuse' }, why: 'the key of the agent lies at home' } as const,
}

export const MOLTBOOK_MANIFEST = Object.freeze<ToolManifest>({
  name: 'moltbook',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'moltbook',
  connect: CONNECT,
  actions: [
    {
      ...READ,
      id: 'moltbook.check_dms',
      description:
        "Direct messages of the owner's agent on Moltbook: who asks to talk, and how many are unread.",
      output: {
        kind: 'record',
        fields: {
          requests: {
            kind: 'list',
            max: MAX_ITEMS,
            of: {
              kind: 'record',
              fields: {
                conversation: { kind: 'id', max: 64 },
                from: NAME,
                owner: { ...NAME, optional: true },
                preview: { kind: 'text', max: MOLTBOOK_TEXT.preview },
                at: { kind: 'date', optional: true },
              },
            },
          },
          waiting: { kind: 'number' },
          unread: { kind: 'number' },
          conversations: { kind: 'number' },
        },
      },
    },
    {
      ...READ,
      id: 'moltbook.check_notifications',
      description: "What is new for the owner's agent on Moltbook: answers to its posts, and what is unread.",
      output: {
        kind: 'record',
        fields: {
          posts: {
            kind: 'list',
            max: MAX_ITEMS,
            of: {
              kind: 'record',
              fields: {
                post: { kind: 'id', max: 64 },
                title: { kind: 'text', max: MOLTBOOK_TEXT.title },
                community: { ...NAME, optional: true },
                news: { kind: 'number' },
                by: { kind: 'list', max: MAX_NAMES, of: NAME },
                preview: { kind: 'text', max: MOLTBOOK_TEXT.preview },
                at: { kind: 'date', optional: true },
                link: { kind: 'url' },
              },
            },
          },
          unread: { kind: 'number' },
          waiting: { kind: 'number' },
          messages: { kind: 'number' },
        },
      },
    },
  ],
})
