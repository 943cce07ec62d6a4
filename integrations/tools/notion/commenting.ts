/** The declared parts of reading a page's comments and adding one. Data only. Called by manifest.ts. */
import type { FieldSpec, RecordSpec, ScalarSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../kernel/tool/manifest.ts'

/** Maximum number of comments in one answer; UTF-16 units of a name and of a text. */
export const COMMENTS = Object.freeze({ most: 50, author: 100, text: 2_000 })

type Shared = Pick<
  ActionManifest,
  'semantics' | 'capability' | 'ceiling' | 'compartment' | 'reaches' | 'sink' | 'offline'
>

export function commenting({
  READ,
  CHANGE,
  NAMED,
  WRITTEN,
  CURSOR,
  ID,
  NAME,
  HEAD,
  PAGES,
  pageIn,
}: {
  readonly READ: Shared
  readonly CHANGE: Shared
  readonly NAMED: ScalarSpec
  readonly WRITTEN: FieldSpec
  readonly CURSOR: FieldSpec
  readonly ID: FieldSpec
  readonly NAME: FieldSpec
  readonly HEAD: RecordSpec['fields']
  readonly PAGES: NonNullable<ActionManifest['pages']>
  readonly pageIn: (argument: string) => NonNullable<ActionManifest['target']>
}): readonly ActionManifest[] {
  return [
    {
      ...READ,
      id: 'notion.comments',
      description:
        'Open comments on a Notion page as a whole, the oldest first; page: its title, link or id.',
      args: { kind: 'record', fields: { page: NAMED, from: CURSOR } },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          ...HEAD,
          comments: {
            kind: 'list',
            max: COMMENTS.most,
            of: {
              kind: 'record',
              fields: {
                id: ID,
                author: { kind: 'text', max: COMMENTS.author, optional: true },
                created: { kind: 'date', optional: true },
                text: { kind: 'text', max: COMMENTS.text },
              },
            },
          },
          more: { kind: 'boolean' },
          next: CURSOR,
        },
      },
    },
    {
      ...CHANGE,
      // Followers of the page are notified at once.
      asks: 'always',
      id: 'notion.comment',
      description: 'Comment on a Notion page; page: its title, link or id; text: the comment.',
      args: { kind: 'record', fields: { page: { ...NAMED, destination: true }, text: WRITTEN } },
      target: pageIn('page'),
      output: { kind: 'record', fields: { id: ID, within: NAME } },
      done: 'the comment is in Notion.',
    },
  ]
}
