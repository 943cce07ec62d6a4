/**
 * Files as their owner has them, at a home without a model: asked for before a folder is named, the folder connected at the terminal, listed, found, read,
 * written to by a card, not written to where the file is another one by now, and nothing reached outside.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docx, icsOf, wordP, xlsx } from '../fakes/office.ts'
import { SANDBOX } from '../home/fixtures/sandbox.ts'
import { newFolder } from '../kit/folder.ts'
import { createBench } from './terminal-bench.ts'

const bench = createBench()
const notes = join(newFolder('owner-files'), 'notes')

beforeAll(async () => {
  mkdirSync(join(notes, 'house'), { recursive: true })
  writeFileSync(join(notes, 'shopping.md'), 'bread\n')
  writeFileSync(join(notes, 'budget.csv'), 'month;rent\nMay;900\n')
  writeFileSync(join(notes, 'house', 'roof.md'), '# Roof\n\nThe roofer comes on Friday.\n')
  symlinkSync(bench.folder, join(notes, 'state'))
  await bench.start('--no-demo', '--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''
const shopping = (): string => readFileSync(join(notes, 'shopping.md'), 'utf8')

/** The card of what is asked for, which waits. */
async function cardOf(text: string): Promise<{ readonly number: string; readonly card: string }> {
  const { report } = await bench.ask(text)
  expect(report.task.state).toBe('awaiting_approval')
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  const number = String(card.number)
  return { number, card: (await bench.pfar('approvals', 'show', number)).out }
}

test('before a folder is named, it is said how', async () => {
  expect(await reply('list my files')).toContain('npm run pfar -- connect files')
})

test('a folder is named at the terminal, and none of those that must not be', async () => {
  for (const folder of [
    bench.folder,
    '/',
    join(notes, 'none'),
    join(notes, 'budget.csv'),
    join(notes, 'state'),
  ])
    expect(await bench.pfar('connect', 'files', folder)).toMatchObject({ code: 1, out: '' })
  const connected = await bench.pfar('connect', 'files', notes)
  expect(connected).toMatchObject({ code: 0, err: '' })
  expect(connected.out).toMatch(/Your folder is connected: \S+notes\/ \(3 files\)\.\s+Ask: "list my files"/)
  // The home that runs knows it, and none of its settings waits for a start.
  expect(await reply('list my files')).toContain('shopping.md')
  expect((await bench.pfar('status')).out).not.toMatch(/config\.toml/)
})

test('files are listed, found and read', async () => {
  expect(await reply('list my files')).toContain('notes/house/roof.md')
  expect(await reply('find my file about the roofer')).toMatch(/house\/roof\.md.*line 3.*Friday/)
  expect(await reply('what is in the file budget.csv')).toContain('May;900')
  expect(await reply('summarise my notes on the roof')).toContain('The roofer comes on Friday')
  expect(await reply('read garage.md')).toContain('None of your files has that name')
})

test('documents are read, in a process of their own', SANDBOX, async () => {
  const rows = '<row><c r="A1" t="inlineStr"><is><t>Slates</t></is></c><c r="B1"><v>412</v></c></row>'
  writeFileSync(join(notes, 'report.docx'), docx(wordP('The gutter is full.'), { title: 'Survey' }))
  writeFileSync(join(notes, 'cost.xlsx'), xlsx([{ name: 'Cost', rows }]))
  const lunch = ['DTSTART:20261201T090000Z', 'DTEND:20261201T100000Z', 'SUMMARY:Lunch']
  writeFileSync(join(notes, 'invite.ics'), icsOf(lunch))
  writeFileSync(join(notes, 'broken.docx'), 'PK\u0003\u0004 and no more')
  expect(await reply('read report.docx')).toMatch(/Survey[\s\S]*The gutter is full\./)
  expect(await reply('summarise the spreadsheet in my folder')).toMatch(/cost\.xlsx[\s\S]*Slates\s+412/)
  expect(await reply('what is in invite.ics')).toContain('Invitation: Lunch')
  expect(await reply('read broken.docx')).toContain('a kind that I cannot read')
})

test('a long file is read on by "more"', async () => {
  writeFileSync(join(notes, 'long.txt'), `${'line of a long text\n'.repeat(1_100)}THE END\n`)
  expect(await reply('read long.txt')).toMatch(/part 1 of 2[\s\S]*"more"/)
  expect(await reply('more')).toMatch(/part 2 of 2/)
})

test('a file is renamed, deleted and brought back, each after a yes', async () => {
  writeFileSync(join(notes, 'old.md'), 'old words')
  const renamed = await cardOf('rename old.md to kept.md')
  expect(renamed.card).toMatch(/notes\/old\.md[\s\S]*notes\/kept\.md/)
  await bench.pfar('approve', renamed.number)
  expect([existsSync(join(notes, 'old.md')), readFileSync(join(notes, 'kept.md'), 'utf8')]).toEqual([
    ...[false, 'old words'],
  ])
  const deleted = await cardOf('delete the file kept.md')
  expect(deleted.card).toContain('.pfar-trash')
  await bench.pfar('approve', deleted.number)
  expect(existsSync(join(notes, 'kept.md'))).toBe(false)
  expect(await reply('read kept.md')).toContain('None of your files has that name')
  const back = await cardOf('undo')
  await bench.pfar('approve', back.number)
  expect(readFileSync(join(notes, 'kept.md'), 'utf8')).toBe('old words')
})

test('a file is written to after a yes, and the card shows where and what', async () => {
  const { number, card } = await cardOf('add milk to shopping.md')
  expect(card).toContain('notes/shopping.md')
  expect(card).toContain('milk')
  expect(card).toContain('the rest of it stays')
  expect(shopping()).toBe('bread\n')
  await bench.pfar('approve', number)
  expect(shopping()).toBe('bread\nmilk\n')
})

test('a new file is made, and the card says that it is new', async () => {
  const { number, card } = await cardOf('write a file house/ideas.md: a second window, to the south')
  expect(card).toMatch(/notes\/house\/ideas\.md[\s\S]*It is a NEW file/)
  await bench.pfar('approve', number)
  expect(readFileSync(join(notes, 'house', 'ideas.md'), 'utf8')).toBe('a second window, to the south')
})

test('a file that is another one than on the card stays as it is', async () => {
  const { number, card } = await cardOf('replace shopping.md with nothing')
  expect(card).toContain('REPLACES')
  writeFileSync(join(notes, 'shopping.md'), 'cheese\n')
  await bench.pfar('approve', number)
  expect(shopping()).toBe('cheese\n')
  const gone = await cardOf('add eggs to shopping.md')
  rmSync(join(notes, 'shopping.md'))
  await bench.pfar('approve', gone.number)
  expect(existsSync(join(notes, 'shopping.md'))).toBe(false)
})

test('nothing outside is read or written, by whatever name', async () => {
  writeFileSync(join(notes, '..', 'outside.md'), 'OUTSIDE')
  for (const name of ['../outside.md', 'state/config.toml', '"/etc/passwd"'])
    expect(await reply(`read ${name}`)).not.toMatch(/OUTSIDE|root:|tools/)
  expect((await bench.ask('add milk to ../outside.md')).report.task.state).not.toBe('awaiting_approval')
  expect((await bench.ask('write a file state/evil.md: x')).report.task.state).not.toBe('awaiting_approval')
  expect(readFileSync(join(notes, '..', 'outside.md'), 'utf8')).toBe('OUTSIDE')
})
