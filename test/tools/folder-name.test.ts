/** Which folder a name means: by each folder's own delimiter, and never one of other people. */
import { expect, it } from 'vitest'
import {
  type FolderPath,
  folderNamed,
  isFolderName,
  isTaken,
} from '../../integrations/tools/email/folder-name.ts'
import { isPersonal } from '../../sidecar/mail/imap-folders.ts'

const FOLDERS: readonly FolderPath[] = [
  { path: 'INBOX', delimiter: '.' },
  { path: 'Home/Taxes', delimiter: '/' },
  { path: 'INBOX.Work.Bills', delimiter: '.' },
  { path: 'v1.Notes', delimiter: '/' },
  { path: 'flat/Plans', delimiter: null },
  { path: 'Home/Bücher', delimiter: '/' },
  { path: 'Work/bucher', delimiter: '/' },
  { path: 'Gelöschte Objekte', delimiter: '/', use: 'trash' },
  { path: 'Old/Trash', delimiter: '/' },
  { path: 'INBOX.Straße', delimiter: '.', shown: 'Straße' },
  { path: 'Plans', delimiter: '/' },
]

it.each([
  ['taxes', 1],
  ['Bills', 2],
  ['inbox.work.bills', 2],
  ['v1.notes', 3],
  ['Notes', 'none'],
  ['', 'none'],
  ['flat/plans', 4],
  ['Bücher', 5],
  ['bucher', 6],
  ['BUCHER', 'several'],
  ['buecher', 5],
  ['home/buecher', 5],
  ['trash', 7],
  ['Papierkorb', 7],
  ['Trash', 7],
  ['old/trash', 8],
  ['strasse', 9],
  ['Plans', 10],
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

it.each([
  ['Receipts', true],
  ['Belege 2026', true],
  ['Bücher & Post', true],
  ['', false],
  [' Receipts', false],
  ['Home/Receipts', false],
  ['Home.Receipts', false],
  ['Home\\Receipts', false],
  ['Re*', false],
  ['Re%', false],
  ['.hidden', false],
  ['#shared', false],
  ['a\r\nb', false],
  ['a\u202eb', false],
  ['a\u200bb', false],
  ['x'.repeat(50), true],
  ['x'.repeat(51), false],
])('a new folder may be called "%s": %s', (name, fits) => expect(isFolderName(name, ['.', ''])).toBe(fits))

it.each([
  ['home/taxes', true],
  ['STRASSE', true],
  ['Papierkorb', true],
  ['Taxes', false],
  ['Archive', false],
])('a new folder "%s" could be taken for another: %s', (name, taken) =>
  expect(isTaken(name, FOLDERS)).toBe(taken),
)
