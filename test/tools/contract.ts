/** What every tool package keeps, whatever it does: run for each one that is listed (test/tools/packages.test.ts). */

import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { phrasePlan } from '../../integrations/models/rules/phrase-plan.ts'
import { TOOLS } from '../../integrations/tools/index.ts'
import { shownThings } from '../../integrations/tools/phrase.ts'
import { actionWords, TOOL_MANIFESTS, TOOL_PHRASES } from '../../integrations/tools/registered.ts'
import { leavesOf } from '../../kernel/flow/field.ts'
import { lookUpAction } from '../../kernel/powers/effects.ts'
import type { Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { tokenFor } from './calls.ts'
import { exampleOf } from './examples.ts'

const NOW = Date.parse('2026-11-25T10:00:00Z')
const CAPABILITY = /^[a-z]{2,20}:[a-z]{2,20}$/

export function keepsTheToolContract(
  manifest: ToolManifest,
  runners: readonly { readonly place: string; readonly tool: Tool }[],
): void {
  describe(`the tool ${manifest.name}`, () => {
    it('runs at each place that it declares, and at no other', () => {
      expect(runners.map(({ place }) => place).sort()).toEqual([...manifest.places].sort())
      for (const { tool } of runners) expect(tool.manifest.name).toBe(manifest.name)
    })

    it('runs at home alone where it needs a key', () => {
      if (manifest.credential !== null) expect(manifest.places).toEqual(['home'])
    })

    it('names exact hosts, or goes where an argument that is a destination says', () => {
      const where = manifest.actions.flatMap(({ args }) => leavesOf(args).map(([, leaf]) => leaf))
      if (manifest.network.includes('*')) expect(where.some(({ destination }) => destination)).toBe(true)
      else for (const host of manifest.network) expect(host).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/)
    })

    it('refuses an action that it does not declare, without a request', async () => {
      for (const { tool } of runners) {
        const request = () => Promise.reject(new Error('asked'))
        const args = { from: '2026-11-25T00:00:00Z', to: '2026-11-26T00:00:00Z' }
        const action = `${manifest.name}.none`
        const call = { action, args, credential: null, http: { request } }
        expect(await tool.execute({ ...call, capability: tokenFor(action) })).toMatchObject({
          ok: false,
          reason: { code: 'tool_unknown' },
        })
      }
    })

    const isOwn = (tool: unknown): boolean => manifest.actions.some(({ id }) => id === tool)
    const calling = TOOL_PHRASES.filter(({ asks }) =>
      asks.some(({ plan }) => plan.some(({ tool }) => isOwn(tool))),
    )
    // A plan that reads a meeting and then makes a row of it is the meetings', and the rows have sentences of their own.
    const packages =
      calling.length === 1
        ? calling
        : calling.filter(({ asks }) =>
            asks.some(({ plan }) => isOwn(plan.find(({ tool }) => tool !== undefined)?.tool)),
          )

    it('has sentences that stand for calls of its own, with their arguments', () => {
      expect(packages).toHaveLength(1)
      for (const { says, plan, intent } of packages.flatMap(({ asks }) => asks)) {
        for (const step of plan.filter((one) => one['do'] === 'tool')) {
          const found = lookUpAction(createRegistry(TOOL_MANIFESTS), String(step['tool']))
          const fields = found.ok ? found.value.args.fields : {}
          expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(step['args'] as object)))
        }
        if (intent !== undefined) continue
        const needed = [...JSON.stringify(plan).matchAll(/\{(\w+)(?:\.(?:from|to))?\}/g)]
          .map(([, slot]) => slot)
          // The row that was shown, or is taken back, is no slot of a sentence.
          .filter((slot) => slot !== 'one' && slot !== 'back')
        for (const sentence of Object.values(says).flat()) {
          const slots = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot)
          expect(slots, sentence).toEqual(expect.arrayContaining(needed))
        }
      }
    })

    it('shows a row that was meant by fields that such a row has', () => {
      const registry = createRegistry(TOOL_MANIFESTS)
      for (const thing of shownThings(packages))
        for (const id of thing.opens === undefined ? [] : thing.lists) {
          const found = lookUpAction(registry, id)
          const fields = found.ok && found.value.output.kind === 'record' ? found.value.output.fields : {}
          const list = fields[thing.list]
          const row = list?.kind === 'list' && list.of.kind === 'record' ? Object.keys(list.of.fields) : []
          const wanted = [...JSON.stringify(thing.opens).matchAll(/\{one\.(\w+)\}/g)].map(
            ([, field]) => field,
          )
          expect([id, wanted.length > 0]).toEqual([id, true])
          expect(row, id).toEqual(expect.arrayContaining(wanted))
        }
    })

    it('knows what its sentences say, whichever way', () => {
      const extractor = createMessageExtractor(packages)
      for (const { lists, asks, shapes } of packages)
        for (const phrase of asks)
          for (const [language, sentences] of Object.entries(phrase.says))
            for (const sentence of sentences)
              for (let turn = 0; turn < 6; turn += 1) {
                const example = exampleOf(sentence, lists?.[language] ?? {}, turn, shapes)
                const text =
                  language === 'de' && phrase.intent === undefined
                    ? example.replaceAll('tomorrow', 'morgen')
                    : example
                const said = extractor.extract(text, { now: NOW, timezone: 'UTC' }) as { intent: string }
                if (phrase.intent !== undefined) expect([text, said.intent]).toEqual([text, phrase.intent])
                else
                  expect(
                    phrasePlan(text, packages, (one) => one === phrase),
                    text,
                  ).not.toBeNull()
              }
    })

    describe.each(manifest.actions.map((action) => [action.id, action] as const))('%s', (id, action) => {
      it('is of its tool or of the family of another one, with a line for the planner', () => {
        expect([manifest.name, ...TOOLS].some((family) => id.startsWith(`${family}.`))).toBe(true)
        expect(action.description).toMatch(/^[^\n]{10,200}$/)
      })

      it('says by what templates select it, and never that it is public; what only the kernel looks up says nothing', () => {
        if (manifest.actions.some(({ remarks }) => remarks?.by === id)) {
          expect(action.capability).toBeUndefined()
          return
        }
        expect(action.capability).toMatch(CAPABILITY)
        expect(action.capability).not.toMatch(/^(?:public|own):/)
      })

      it('says what becomes of it while home is away, and why', () => {
        expect(action.offline?.why).toMatch(/\w{3}/)
        if (action.semantics === 'write') expect(action.offline?.policy.do).toBe('refuse')
      })

      it('has its words: how far it is, what it means to a person, what did not work', () => {
        const words = actionWords(id)
        expect(words?.progress).toBe(action.progress)
        expect(words?.progress).toMatch(/^[a-z]/)
        expect(words?.failed).toMatch(/^I could not .*\.$/)
        expect(words?.help).toMatch(/\w{3}/)
      })

      it('has a sink where it writes, and none where it reads', () => {
        expect(action.sink === null).toBe(action.semantics === 'read')
      })
    })
  })
}
