/** Commands in hints are shown as they have to be typed. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CHANNELS } from '../../integrations/channels/index.ts'
import { typedByNpm } from '../../kernel/operations/typed-commands.ts'
import { LOCAL } from '../../sidecar/cli/local/index.ts'
import { asTyped, edgeCommands, LOCAL_WORDS } from '../../sidecar/process/typed-commands.ts'
import { newFolder } from '../kit/folder.ts'

const BY_NPM = { npm_lifecycle_event: 'start', PATH: '/nowhere' }

it.each([
  ['run `pfar key init` first', 'run `npm run pfar -- key init` first'],
  [
    'To allow it: pfar approve 1   To refuse: pfar deny 1',
    'To allow it: npm run pfar -- approve 1   To refuse: npm run pfar -- deny 1',
  ],
  ['pfar connect mail  Your mail', 'npm run pfar -- connect mail  Your mail'],
  ['(pfar --help lists the commands)', '(npm run pfar -- --help lists the commands)'],
  // No command, a path, and what is typed like that already.
  ['my pfar box, and pfar itself', 'my pfar box, and pfar itself'],
  ['/opt/pfar status', '/opt/pfar status'],
  ['npm run pfar -- status', 'npm run pfar -- status'],
  ['{"hint":"pfar key init"}', '{"hint":"pfar key init"}'],
])('%s', (text, typed) => {
  expect(asTyped(text, BY_NPM)).toBe(typed)
})

it('is left as it is where it was not started by npm, or where the command is installed', () => {
  const folder = newFolder('typed')
  writeFileSync(join(folder, 'pfar'), '#!/bin/sh\n')
  chmodSync(join(folder, 'pfar'), 0o755)
  const text = 'say `pfar status`'
  expect(asTyped(text, { PATH: '/nowhere' })).toBe(text)
  expect(asTyped(text, { ...BY_NPM, PATH: folder })).toBe(text)
  expect([BY_NPM, { PATH: '/nowhere' }, { ...BY_NPM, PATH: folder }].map(edgeCommands)).toEqual([
    'npm',
    'pfar',
    'pfar',
  ])
})

it('knows the first word of each command that is no operation', () => {
  const words = [...LOCAL.before, ...LOCAL.behind].flatMap(({ names }) =>
    names.map((name) => name.split(' ')[0]),
  )
  const chats = CHANNELS.map(({ name }) => name)
  expect([...LOCAL_WORDS]).toEqual(
    [...new Set(words)].filter((word = '') => !chats.includes(word)).toSorted(),
  )
  expect(chats.map((name) => asTyped(`pfar ${name} connect`, BY_NPM))).toEqual(
    chats.map((name) => `npm run pfar -- ${name} connect`),
  )
})

it.each(['kernel/features/words-edge.json', 'integrations/languages/de.json'])(
  'the edge’s own words in %s name commands alone, so that it needs no list of them',
  (file) => {
    // One line each: what begins with a bracket is data.
    const words = ` ${readFileSync(file, 'utf8')}`.replaceAll('\n', ' ').replace(/^ \{/, ' ')
    expect(typedByNpm(words)).toBe(asTyped(words, BY_NPM))
    expect(typedByNpm(words)).not.toBe(words)
  },
)
