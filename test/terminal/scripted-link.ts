/** A line with scripted answers, for tests of the terminal. Records its calls. */

import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { ApprovalView, Lasting, OtherWords, Standing } from '../../kernel/features/approvals/port.ts'
import type { Contacts } from '../../kernel/features/contacts/port.ts'
import type { Edit, FileView, VersionView, Written } from '../../kernel/features/directives/port.ts'
import type { GrantView } from '../../kernel/features/grants/port.ts'
import type { LinkView } from '../../kernel/features/identities/port.ts'
import type { EntryView } from '../../kernel/features/memory/port.ts'
import type { ModelView, NameCheck } from '../../kernel/features/models/port.ts'
import type { InvitationRequest, PersonView } from '../../kernel/features/people/port.ts'
import type { TemplateView } from '../../kernel/features/templates/port.ts'
import type { UsageReport } from '../../kernel/features/usage/port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Caller } from '../../kernel/operations/caller.ts'
import type { OperationPorts } from '../../kernel/operations/ports.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import type { Decision } from '../../sidecar/cli/chat/cards.ts'
import type { LineDelivery, LineDraft, LineMessage, Link } from '../../sidecar/cli/line/link.ts'
import { typed } from '../../sidecar/cli/line/wire.ts'
import type { ModelLook } from '../../sidecar/doctor/model-look.ts'
import { sharedRead } from '../../sidecar/line/home-operations.ts'

export interface ScriptedLink extends Link {
  readonly sent: LineMessage[]
  readonly decided: [string, Decision][]
  /** Ids to forget, and corrections. */
  readonly joined: (readonly [string, string])[]
  readonly invited: InvitationRequest[]
  readonly changed: (string | [string, string])[]
  readonly edited: Pick<OtherWords, 'approval' | 'text' | 'argument'>[]
  readonly proposed: (
    | (Lasting & { readonly approval: string; readonly message: string })
    | { readonly message: string }
    | { readonly template: string; readonly message: string }
  )[]
  readonly revoked: string[]
  /** Edits and restorations of directive files. */
  readonly questioned: Parameters<Link['questions']['done']>[0][]
  readonly written: (Edit | { readonly name: string; readonly version: number })[]
}

export interface Script {
  /** The edge has no bot. */
  readonly noBot?: boolean
  readonly line?: Link['line']
  /** One result per call, in order; the last one repeats. */
  readonly sends?: readonly Result<{ readonly task: string }>[]
  readonly reports?: readonly Result<TaskReport>[]
  readonly rows?: readonly LineDelivery[]
  /** The draft that every call returns. */
  readonly draft?: LineDraft
  readonly approvals?: readonly ApprovalView[]
  readonly standing?: Result<Standing>
  /** What a yes lets hold from now on. */
  readonly holds?: string
  readonly grants?: readonly GrantView[]
  readonly models?: {
    readonly models: readonly ModelView[]
    readonly templates: readonly Pick<TemplateView, 'id' | 'description' | 'ceiling' | 'provider' | 'asks'>[]
    readonly trouble: { readonly key: string; readonly problem: string } | null
  }
  readonly identities?: readonly LinkView[]
  readonly people?: readonly PersonView[]
  readonly lock?: Result<{ readonly done: boolean }>
  readonly memory?: readonly EntryView[]
  readonly notices?: readonly string[]
  readonly names?: readonly NameCheck[]
  /** Without it the line is down. */
  readonly usage?: UsageReport
  readonly look?: ModelLook
  /** Facts in the place's status besides its name. */
  readonly status?: Readonly<Record<string, unknown>>
  readonly decision?: Result<{ readonly task: string }>
  readonly files?: readonly FileView[]
  readonly versions?: readonly VersionView[]
  readonly written?: Result<Written>
  /** `due`: whether to ask the first questions. `unnamed`: false if the assistant already has a name. */
  readonly due?: boolean
  readonly unnamed?: boolean
}

const WRITTEN: Written = { version: 2, approval: null, warnings: [], keptBy: [] }

function find<T>(list: readonly T[] | undefined, fits: (one: T) => boolean): Result<T> {
  const found = list?.find(fits)
  return found === undefined ? err('directive_unknown') : ok(found)
}

export function scriptedLink(script: Script = {}): ScriptedLink {
  const next = <T>(list: readonly T[] | undefined, fallback: T) => {
    let at = 0
    return () => list?.[Math.min(at++, list.length - 1)] ?? fallback
  }
  const send = next(script.sends, ok({ task: 't1' }))
  const report = next(script.reports, ok(reportWith({})))
  const sent: LineMessage[] = []
  const decided: [string, Decision][] = []
  const changed: ScriptedLink['changed'] = []
  const joined: ScriptedLink['joined'] = []
  const invited: InvitationRequest[] = []
  const edited: ScriptedLink['edited'] = []
  const proposed: ScriptedLink['proposed'] = []
  const revoked: string[] = []
  const written: ScriptedLink['written'] = []
  const questioned: ScriptedLink['questioned'] = []
  const ports = scriptedPorts(script, {
    changed,
    joined,
    invited,
    proposed,
    revoked,
    written,
    decided,
    edited,
  })
  return {
    line: script.line ?? 'private',
    sent,
    decided,
    changed,
    joined,
    invited,
    async send(message) {
      sent.push(message)
      return send()
    },
    deliveries: async (after, waitMs) => {
      const rows = (script.rows ?? []).filter((row) => row.seq > after)
      if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 20)))
      return ok(rows)
    },
    draft: () => script.draft ?? null,
    report: async () => report(),
    async call(operation, args) {
      const isHere = script.line !== 'open' || (operation.from === 'open' && operation.place !== 'home')
      const prepared = isHere ? operation.prepare(args) : err('approval_place_too_low')
      if (!prepared.ok) return prepared
      const done = await prepared.value.run(ports, CALLER)
      return done.ok ? typed(operation, done.value) : done
    },
    edited,
    proposed,
    revoked,
    stop: async (task) => ok({ task }),
    doctor: async () => (script.look === undefined ? err('home_offline') : ok(script.look)),
    questions: {
      state: async () => ok({ due: script.due === true, persona: script.unnamed !== false }),
      async done(answers) {
        questioned.push(answers)
        return ok({})
      },
    },
    written,
    questioned,
    status: async () => ok({ place: 'home', ...script.status }),
    close: () => undefined,
  }
}

export function reportWith(task: Partial<TaskReport['task']>, reply: string | null = 'Done.'): TaskReport {
  return {
    reply,
    task: {
      id: 't1',
      place: 'home',
      template: 'owner_private',
      label: 'sensitive',
      taint: 'raw',
      model: 'rules',
      planner: 'rules',
      path: 'fast',
      state: 'completed',
      trouble: null,
      approval: null,
      options: 0,
      steps: [],
      delivered: [],
      ...task,
    },
    timings: { totalMs: 12 },
  }
}

export function approvalWith(view: Partial<ApprovalView>): ApprovalView {
  return {
    id: 'ap1',
    number: 1,
    task: 't1',
    tool: 'calendar.create_event',
    card: 'Lunch',
    full: 'Lunch',
    kind: 'tainted_write',
    count: 1,
    reason: 'write_approval_required',
    createdAt: 0,
    expiresAt: 300_000,
    options: 0,
    ...view,
  }
}

/** The owner at the terminal. */
const CALLER: Caller = {
  ...{ principal: 'principal:owner', place: 'home', door: 'terminal' },
  ...{ sink: 'sink:terminal:owner', message: 'm1' },
}

type Kept = Pick<
  ScriptedLink,
  'changed' | 'joined' | 'invited' | 'proposed' | 'revoked' | 'written' | 'decided' | 'edited'
>

/** Ports for the real definitions of the operations. */
function scriptedPorts(script: Script, kept: Kept): Partial<OperationPorts> {
  const { usage } = script
  return {
    approvals: {
      list: async () => script.approvals ?? [],
      standing: async () => script.standing ?? err('approval_unknown'),
      holds: async () => script.holds ?? '',
    },
    decisions: {
      async decide({ approval, decision }) {
        kept.decided.push([approval, decision])
        return script.decision ?? ok({ task: 't1' })
      },
      async edit({ approval, text, argument }) {
        kept.edited.push({ approval, text, ...(argument !== undefined && { argument }) })
        return ok({ task: 't1' })
      },
      leaveOut: async () => ok({ task: 't1' }),
      async always({ message }, terms) {
        kept.proposed.push({ ...terms, message })
        return ok({ approval: 'g1' })
      },
    },
    grants: {
      list: async () => script.grants ?? [],
      async revoke(grant) {
        kept.revoked.push(grant)
        return ok({ grant })
      },
      async allow({ message }, terms) {
        kept.proposed.push({ ...terms, message })
        return ok({ approval: 'g1' })
      },
    },
    bothLines: {
      async acknowledge({ message }) {
        if (script.noBot === true) return err('sink_unknown')
        kept.proposed.push({ message })
        return ok({ approval: 'g1' })
      },
      async withdraw() {
        kept.revoked.push('transport')
        return ok({ grant: 'g1' })
      },
    },
    freeBusy: sharedRead(createRegistry(TOOL_MANIFESTS)),
    models: { views: () => script.models?.models ?? [], trouble: script.models?.trouble ?? null },
    templates: () =>
      (script.models?.templates ?? []).map((one) => ({
        ...{ who: 'owner', own: false, job: false, tools: [], triggers: [], answers: [] },
        ...one,
      })),
    async cloud({ message }, template) {
      kept.proposed.push({ template: template ?? '', message })
      return ok({ approval: 'g1' })
    },
    contacts: { list: async () => [] } as unknown as Contacts,
    people: {
      list: async () => script.people ?? [],
      async invite(_, asked) {
        kept.invited.push(asked)
        const [openUntil, say] = [Date.now() + asked.hours * 3_600_000, 'pair AAAA-BBBB-CCCC']
        return ok({ agreement: 'a1', approval: 'g1', say, openUntil, each: [] })
      },
      async revoke(agreement) {
        kept.revoked.push(agreement)
        return ok({ agreement, wasLive: agreement !== 'never' })
      },
    },
    identities: {
      list: () => script.identities ?? [],
      async start(_, [one, other]) {
        kept.joined.push([one, other])
        const ends = [one, other].map((principal, n) => ({ principal, say: `link AAAA-AAAA-AAA${n}` }))
        return ok({ link: 'l1', ends, expiresAt: Date.now() + 900_000 })
      },
      async remove(link) {
        kept.changed.push(link)
        return ok({ link, wasLive: link !== 'never' })
      },
    },
    memory: {
      list: async () => script.memory ?? [],
      about: async () => script.memory ?? [],
      async find(_, which) {
        const found = (script.memory ?? []).find(({ id, number }) => id === which || `${number}` === which)
        return found === undefined ? err('memory_unknown') : ok(found)
      },
      async undo(_, number) {
        kept.changed.push(`undo ${number}`)
        return script.memory?.[0] === undefined ? err('memory_gone') : ok(script.memory[0])
      },
      async forget(_, id) {
        kept.changed.push(id)
        return ok({ told: false })
      },
      askForget: async () => ok({ approval: 'f', facts: 1, results: 0 }),
      reword: () => undefined,
      async correct(_, id, text) {
        kept.changed.push([id, text])
        return ok({ id })
      },
    },
    directives: {
      list: async () => script.files ?? [],
      show: async (_, name, version) =>
        find(script.versions, (one) => one.name === name && (version ?? one.version) === one.version),
      history: async () => ok(script.versions ?? []),
      async edit(_, edit) {
        kept.written.push(edit)
        return script.written ?? ok(WRITTEN)
      },
      async restore(_, back) {
        kept.written.push(back)
        return script.written ?? ok(WRITTEN)
      },
    },
    names: async () => script.names ?? [],
    ...(usage !== undefined && { usage: async () => usage }),
    edgeLock: async () => script.lock ?? ok({ done: true }),
    prompts: () => ({ changed: true, tokens: 300, notices: script.notices ?? [] }),
    ownTemplates: () => ({ changed: false, notices: [] }),
    drive: () => undefined,
  }
}
