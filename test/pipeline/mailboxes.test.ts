/** A model that plans is shown the names of the owner's mailboxes, and may choose one of them and nothing else (I-12). */
import { describe, expect, it } from 'vitest'
import type { NamedMailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { severalManifest } from '../../integrations/tools/email/several-manifest.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const named = (name: string): NamedMailbox => ({
  ...{ name, called: [`ada@${name}.example`], credential: 'mail', account: name, secret: name },
  ...{ own: null, sender: null },
})
const SEVERAL = { all: [named('private'), named('work')], standard: 'private' }

function worldOf(account: string) {
  const asked: unknown[] = []
  const list = mailTools()['email.list']
  const tools = {
    'email.list': (...[args, ...more]: Parameters<NonNullable<typeof list>>) => {
      asked.push(args)
      if (list === undefined) throw new Error('there is one')
      return list(args, ...more)
    },
  }
  const steps = [{ id: 's1', do: 'tool', tool: 'email.list', args: { account } }]
  const models = [
    scriptedModel('local', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'Two mails.',
    ),
  ]
  const world = createWorld({ tools, models })
  const others = TOOL_MANIFESTS.filter(({ name }) => name !== 'email')
  const mail = severalManifest(EMAIL_MANIFEST, SEVERAL, 'mail.example')
  Object.assign(world.powers, { registry: createRegistry([...others, mail]) })
  return { world, asked }
}

describe('a plan of a model', () => {
  it('that names a mailbox of the list looks into that one, without a question', async () => {
    const { world, asked } = worldOf('work')
    await world.say('what do my colleagues want from me, could you look?')
    expect(asked).toEqual([{ account: 'work' }])
    expect(world.disk.store.pendingApprovals(null)).toEqual([])
  })

  it.each(['other', 'ada@work.example', 'mail-work'])('that names %s opens nothing', async (account) => {
    const { world, asked } = worldOf(account)
    await world.say('what do my colleagues want from me, could you look?')
    expect(asked).toEqual([])
  })
})
