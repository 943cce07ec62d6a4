/** Which folder a name means: by each folder's own delimiter, and never one of other people. */
import { expect, it } from 'vitest'
import { folderNamed } from '../../integrations/tools/email/folder-name.ts'
import { isPersonal } from '../../sidecar/mail/imap-folders.ts'

const FOLDERS = [
  { path: 'INBOX', delimiter: '.' },
  { path: 'Home/Taxes', delimiter: '/' },
  { path: 'INBOX.Work.Bills', delimiter: '.' },
  { path: 'v1.Notes', delimiter: '/' },
  { path: 'flat/Plans', delimiter: null },
]

it.each([
  ['taxes', 1],
  ['Bills', 2],
  ['inbox.work.bills', 2],
  ['v1.notes', 3],
  ['Notes', null],
  ['Plans', null],
  ['flat/plans', 4],
] as const)('"%s" is folder %s', (named, at) => expect(folderNamed(named, FOLDERS)).toBe(at))

const at = (prefix: string) => [{ prefix, delimiter: '/' }]

it.each([
  ['Receipts', true],
  ['Shared', false],
  ['Shared/Board', false],
  ['Sharedness', true],
  ['Other Users/tom/INBOX', false],
])('%s is the owner’s own: %s', (path, own) =>
  expect(
    isPersonal({ namespaces: { personal: at(''), other: at('Other Users/'), shared: at('Shared/') } }, path),
  ).toBe(own),
)

it('a server that names no others has none', () =>
  expect(
    isPersonal({ namespaces: { personal: at('INBOX.'), other: false, shared: false } }, 'Shared/x'),
  ).toBe(true))
