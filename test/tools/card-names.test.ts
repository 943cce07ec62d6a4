/**
 * What a card is about (F-03): nobody judges an id. Each write that takes one looks up what it stands for, and has words for that on its card; an
 * id that needs none is listed here with the reason.
 */
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { leavesOf } from '../../kernel/flow/field.ts'
import { createRegistry, type RegisteredAction } from '../../kernel/tool/registry.ts'
import { cardWords } from '../../kernel/tool/worded.ts'

/** By action and argument. */
const SAID_OTHERWISE: Readonly<Record<string, string>> = {
  'email.reply.id': 'its sender and its subject are arguments',
  'email.reply_later.id': 'its sender and its subject are arguments',
  'email.forward.id': 'its subject and its text are arguments',
  'email.forward_later.id': 'its subject and its text are arguments',
  'email.draft.answers': 'what it says is the draft alone, which is sent nowhere',
  'email.unsubscribe.id': 'the address and the subject that it names are arguments',
  'bluesky.reply.post': 'the address of a post, which is where it goes',
  'files.put_back.version': 'both places are arguments',
}

const REGISTRY = createRegistry(TOOL_MANIFESTS)
const WRITES = [...REGISTRY.actions.values()].filter(({ semantics }) => semantics === 'write')

/** Arguments that are an id, or a list of them; an account is a name of the owner's. */
function idsOf({ args }: RegisteredAction): readonly string[] {
  return Object.entries(args.fields)
    .filter(([, spec]) => leavesOf(spec).some(([, leaf]) => leaf.kind === 'id' && leaf.scope !== true))
    .map(([name]) => name)
}

const TAKEN = WRITES.flatMap((action) =>
  idsOf(action).map((name) => ({ action, name, of: `${action.id}.${name}` })),
)

describe('a card', () => {
  it.each(TAKEN.filter(({ of }) => !Object.hasOwn(SAID_OTHERWISE, of)))(
    'of $of says which thing that is',
    ({ action, name }) => {
      const { target, remarks } = action
      // A target is shown by the fields that its lookup adds to the call.
      if (target !== undefined) return expect(action.args.fields).toHaveProperty(name)
      expect(Object.values(remarks?.given ?? {})).toContain(name)
      const found = REGISTRY.actions.get(remarks?.by ?? '')?.output
      const fields = found?.kind === 'record' ? Object.keys(found.fields) : []
      const shown = Object.keys(cardWords(action)?.remarks ?? {}).filter((field) => fields.includes(field))
      expect(shown).not.toEqual([])
    },
  )

  it('has no reason for an id that no write takes', () => {
    expect(Object.keys(SAID_OTHERWISE).filter((of) => !TAKEN.some((one) => one.of === of))).toEqual([])
  })
})
