/** The chain of the audit is verified by each backup and by `pfar audit verify`, outside of the message path. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { CommandContext } from '../../sidecar/cli/command.ts'
import { verifyAudit } from '../../sidecar/cli/local/status.ts'
import { openHomeDatabase } from '../../sidecar/store/home-database.ts'
import type { StateFolder } from '../../sidecar/store/state-folder.ts'
import { backupWorld, given } from './fixtures/backup.ts'

/** Drops the triggers, as anyone who has the file can: they protect against bugs, not against an attacker. */
function tamper(folder: StateFolder, statement: string): void {
  const database = new DatabaseSync(folder.file('home.sqlite'))
  database.exec('drop trigger audit_no_update; drop trigger audit_no_delete')
  database.exec(statement)
  database.close()
}

function audited() {
  const world = backupWorld()
  const home = given(openHomeDatabase(world.folder.file('home.sqlite')))
  const line = { at: 1, place: 'home', kind: 'egress', trace: null, task: null, principal: null } as const
  for (let n = 1; n <= 5; n += 1) home.store.appendAudit({ ...line, facts: { n } })
  home.close()
  return world
}

async function verify({ path }: StateFolder) {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const context = { screen: { out: say, err: say }, environment: { PFAR_HOME: path } }
  const code = await verifyAudit(context as unknown as CommandContext)
  return { code, said: said.join('\n') }
}

const CHANGES: readonly (readonly [string, string, number])[] = [
  ['a line that was changed', 'update audit set facts = \'{"n":7}\' where seq = 3', 3],
  ['a line that was taken out', 'delete from audit where seq = 2', 3],
  [
    'a line that was put in',
    "insert into audit select 6, at, place, kind, trace, task, principal, '{}', hash from audit where seq = 5",
    6,
  ],
]

describe.each(CHANGES)('%s', (_what, statement, line) => {
  test('is reported by the backup, which is made all the same', async () => {
    const { folder, make } = audited()
    tamper(folder, statement)
    const made = given(await make())
    expect([made.brokenAudits, made.files.length > 2]).toEqual([['home.sqlite'], true])
  })

  test('is reported by the command', async () => {
    const { folder } = audited()
    tamper(folder, statement)
    expect(await verify(folder)).toEqual({
      code: 1,
      said: expect.stringMatching(
        new RegExp(`^Line ${line} does not follow .* The audit is not what I wrote`),
      ),
    })
  })
})

test('an intact chain is reported as intact', async () => {
  const { folder, make } = audited()
  expect(given(await make()).brokenAudits).toEqual([])
  expect(await verify(folder)).toEqual({
    code: 0,
    said: 'Every line of the audit follows from the one before it.',
  })
})

test('an unreadable audit is not reported as intact', async () => {
  const { folder } = backupWorld()
  expect(await verify({ ...folder, path: '/nowhere' })).toMatchObject({
    code: 1,
    said: expect.stringContaining('There is no audit that can be read'),
  })
})
