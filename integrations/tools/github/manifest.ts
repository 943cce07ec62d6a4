/**
 * GitHub (I-14): issues, pull requests, notifications, the state of CI, and two writes whose repository is looked up before the
 * approval and again before the write. Ids, numbers, states and dates are structured; whatever somebody wrote is text. Must not
 * contain code. Listed in ../index.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { GITHUB_CONNECT } from './connect.ts'

export const HOST = 'api.github.com'

/** Maximum and default number of issues, pull requests and notifications in one answer. */
export const MAX_ITEMS = 50
export const DEFAULT_ITEMS = 20
/** Maximum number of comments of an issue, newest first; more would fill a prompt. */
export const MAX_COMMENTS = 30
export const MAX_LABELS = 20
export const MAX_PEOPLE = 20
/** Maximum number of failing checks that are named; all are counted. */
export const MAX_FAILING = 20

/** UTF-16 units. GitHub accepts 256 characters of a title and 65,536 of a body. */
export const GITHUB_TEXT = Object.freeze({
  ...{ title: 256, body: 20_000, comment: 5_000, label: 50, branch: 255, check: 200 },
  ...{ description: 350, words: 200, written: 20_000 },
})

export const VISIBILITIES = Object.freeze(['public', 'internal', 'private'] as const)
export const STATES = Object.freeze(['open', 'closed', 'merged'] as const)
export const CI_STATES = Object.freeze(['passed', 'failed', 'running', 'none'] as const)

/** GitHub's reasons for a notification. */
export const NOTICE_REASONS = Object.freeze([
  ...['assign', 'author', 'comment', 'ci_activity', 'invitation', 'manual', 'mention', 'review_requested'],
  ...['security_alert', 'state_change', 'subscribed', 'team_mention', 'approval_requested', 'other'],
])
export const NOTICE_KINDS = Object.freeze([
  ...['issue', 'pull', 'commit', 'release', 'discussion', 'ci', 'other'],
])

/** `acme/site` */
const REPO = { kind: 'id', max: 200 } as const
/** `acme/site#12`, or the address of its page. */
const ITEM = { kind: 'id', max: 300 } as const
/** Number of an item whose repository is given separately. */
const NUMBER = { kind: 'id', max: 12, optional: true } as const
const LOGIN = { kind: 'id', max: 60 } as const
const LINK = { kind: 'url', optional: true } as const
const COUNT = { kind: 'number', optional: true } as const
/** Part of a list, or of the comments of an issue, counted from the newest. */
const PART = { kind: 'number', optional: true } as const
const PAGES = { field: 'next', argument: 'part' } as const
const KIND = { kind: 'enum', values: ['issue', 'pull'] } as const

const HEAD: RecordSpec['fields'] = {
  item: ITEM,
  kind: KIND,
  repo: REPO,
  number: { kind: 'number' },
  title: { kind: 'text', max: GITHUB_TEXT.title },
  state: { kind: 'enum', values: STATES },
  draft: { kind: 'boolean', optional: true },
  author: { ...LOGIN, optional: true },
  created: { kind: 'date', optional: true },
  updated: { kind: 'date', optional: true },
  comments: { kind: 'number' },
  link: LINK,
}

const LISTED: RecordSpec = {
  kind: 'record',
  fields: {
    items: { kind: 'list', max: MAX_ITEMS, of: { kind: 'record', fields: HEAD } },
    more: { kind: 'boolean' },
    next: PART,
  },
}

const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'

const READ = {
  ...({ semantics: 'read', capability: 'code:read', ceiling: 'sensitive', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: null } as const),
  offline: { policy: { do: 'refuse' }, why: SENSITIVE } as const,
}

/**
 * Others read it and are notified by mail, so each write needs an approval. A repository is cleared for `internal` at most
 * (A-40).
 */
const WRITE = {
  ...({ semantics: 'write', capability: 'code:write', ceiling: 'sensitive', compartment: null } as const),
  ...({ reaches: 'internal', sink: 'sink:github:owner', asks: 'always' } as const),
  offline: {
    policy: { do: 'refuse' },
    why: 'a write that happens long after it was wanted surprises',
  } as const,
}

/**
 * An `internal` repository is readable by the whole organisation, so it counts as public. For a private one it is unknown who has
 * access.
 */
function readersOf(argument: string): NonNullable<ActionManifest['target']> {
  return {
    by: 'github.get_repo',
    given: { repo: argument },
    field: 'visibility',
    reaches: { public: 'public', internal: 'public', private: 'internal' },
  }
}

const WRITTEN: Readonly<Record<string, FieldSpec>> = {
  title: { kind: 'text', max: GITHUB_TEXT.title },
  body: { kind: 'text', max: GITHUB_TEXT.written, optional: true },
}

export const GITHUB_MANIFEST = Object.freeze<ToolManifest>({
  name: 'github',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'github',
  connect: GITHUB_CONNECT,
  actions: [
    {
      ...READ,
      id: 'github.list_prs',
      description:
        "Open pull requests: the owner's own, those that wait for their review, or all of a repository.",
      args: {
        kind: 'record',
        fields: {
          whose: { kind: 'enum', values: ['mine', 'review', 'all'], optional: true },
          repo: { ...REPO, optional: true },
          count: COUNT,
          part: PART,
        },
      },
      pages: PAGES,
      output: LISTED,
    },
    {
      ...READ,
      id: 'github.list_notifications',
      description: 'What GitHub has told the owner of; unread only, unless all.',
      args: {
        kind: 'record',
        fields: { all: { kind: 'boolean', optional: true }, count: COUNT, part: PART },
      },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          notifications: {
            kind: 'list',
            max: MAX_ITEMS,
            of: {
              kind: 'record',
              fields: {
                id: { kind: 'id' },
                item: { ...ITEM, optional: true },
                repo: REPO,
                kind: { kind: 'enum', values: NOTICE_KINDS },
                reason: { kind: 'enum', values: NOTICE_REASONS },
                unread: { kind: 'boolean' },
                title: { kind: 'text', max: GITHUB_TEXT.title },
                updated: { kind: 'date', optional: true },
              },
            },
          },
          more: { kind: 'boolean' },
          next: PART,
        },
      },
    },
    {
      ...READ,
      id: 'github.get_issue',
      description: 'One issue or pull request with its newest comments; item: acme/site#12.',
      args: { kind: 'record', fields: { item: ITEM, number: NUMBER, part: PART } },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          ...HEAD,
          body: { kind: 'text', max: GITHUB_TEXT.body },
          truncated: { kind: 'boolean' },
          labels: { kind: 'list', max: MAX_LABELS, of: { kind: 'text', max: GITHUB_TEXT.label } },
          assignees: { kind: 'list', max: MAX_PEOPLE, of: LOGIN },
          reviewers: { kind: 'list', max: MAX_PEOPLE, of: LOGIN, optional: true },
          branch: { kind: 'text', max: GITHUB_TEXT.branch, optional: true },
          files: { kind: 'number', optional: true },
          added: { kind: 'number', optional: true },
          removed: { kind: 'number', optional: true },
          replies: {
            kind: 'list',
            max: MAX_COMMENTS,
            of: {
              kind: 'record',
              fields: {
                author: { ...LOGIN, optional: true },
                at: { kind: 'date', optional: true },
                body: { kind: 'text', max: GITHUB_TEXT.comment },
              },
            },
          },
          /** There are older comments that are not included. */
          more: { kind: 'boolean' },
          /** Part of its text and comments, if it is not the first. */
          part: PART,
          next: PART,
        },
      },
    },
    {
      ...READ,
      id: 'github.search',
      description:
        'Issues and pull requests by words; without a repository, those that the owner has to do with.',
      args: {
        kind: 'record',
        fields: {
          words: { kind: 'text', max: GITHUB_TEXT.words },
          repo: { ...REPO, optional: true },
          kind: { ...KIND, optional: true },
          state: { kind: 'enum', values: ['open', 'closed'], optional: true },
          count: COUNT,
          part: PART,
        },
      },
      pages: PAGES,
      output: LISTED,
    },
    {
      ...READ,
      id: 'github.ci_state',
      description: 'Whether CI passed on a branch, else the main one, or on a pull request (acme/site#12).',
      args: {
        kind: 'record',
        fields: { on: ITEM, branch: { kind: 'text', max: GITHUB_TEXT.branch, optional: true } },
      },
      output: {
        kind: 'record',
        fields: {
          repo: REPO,
          item: { ...ITEM, optional: true },
          branch: { kind: 'text', max: GITHUB_TEXT.branch },
          commit: { kind: 'id', max: 64 },
          state: { kind: 'enum', values: CI_STATES },
          passed: { kind: 'number' },
          failed: { kind: 'number' },
          running: { kind: 'number' },
          failing: { kind: 'list', max: MAX_FAILING, of: { kind: 'text', max: GITHUB_TEXT.check } },
          /** Not all checks could be read, so the result cannot be called "passed". */
          partial: { kind: 'boolean' },
          link: LINK,
        },
      },
    },
    {
      ...READ,
      id: 'github.get_repo',
      description: 'A repository: who can read it, its main branch, how many issues are open.',
      args: { kind: 'record', fields: { repo: ITEM } },
      output: {
        kind: 'record',
        fields: {
          repo: REPO,
          visibility: { kind: 'enum', values: VISIBILITIES },
          archived: { kind: 'boolean' },
          branch: { kind: 'text', max: GITHUB_TEXT.branch },
          /** Includes pull requests. */
          open: { kind: 'number' },
          description: { kind: 'text', max: GITHUB_TEXT.description, optional: true },
          link: LINK,
        },
      },
    },
    {
      ...WRITE,
      id: 'github.create_issue',
      description: 'Open an issue in a repository.',
      args: { kind: 'record', fields: { repo: { ...REPO, destination: true }, ...WRITTEN } },
      target: readersOf('repo'),
      output: { kind: 'record', fields: { item: ITEM, number: { kind: 'number' }, link: LINK } },
      done: 'the issue is open.',
    },
    {
      ...WRITE,
      id: 'github.comment',
      description: 'Comment on an issue or pull request; item: acme/site#12.',
      args: {
        kind: 'record',
        fields: {
          item: { ...ITEM, destination: true },
          number: NUMBER,
          body: { kind: 'text', max: GITHUB_TEXT.written },
        },
      },
      target: readersOf('item'),
      output: { kind: 'record', fields: { item: ITEM, link: LINK } },
      done: 'the comment is there.',
    },
  ],
})
