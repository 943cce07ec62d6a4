/**
 * Guards that the controls take away and that no attack of a corpus reaches, each with the test files that
 * must go red: what a person is shown and decides, pastes or allowed for good, and what a task may
 * hold. Read by guards.ts.
 */
import type { Guard } from './controls.ts'
import { DISCLOSURE_GUARDS } from './disclosure-guards.ts'
import { OWNER_GUARDS } from './owner-guards.ts'
import { PLAN_GUARDS } from './plan-guards.ts'
import { POST_GUARDS } from './post-guards.ts'
import { SERIES_GUARDS } from './series-guards.ts'

const APPROVAL = 'kernel/task/approval.ts'
const APPROVAL_TESTS = ['test/task/approval.test.ts']

export const TESTED_GUARDS: readonly Guard[] = [
  {
    guard: 'what others wrote and tools were looked up by decides what follows (`isPlanners`)',
    tests: ['test/pipeline/tools-search.test.ts'],
    patches: [
      {
        file: 'kernel/call/kernel-effects.ts',
        find: 'const taint = isPlanners(task, step) ?',
        replace: "const taint = isPlanners(task, step) || action.id !== '' ?",
      },
    ],
  },
  {
    guard: 'an answer that is being written goes where it may (`showDraft`)',
    tests: ['test/pipeline/drafts.test.ts'],
    patches: [
      {
        file: 'kernel/features/deliveries/deliver.ts',
        find: 'if (opened.ok) powers.sender.drafts?.show({ sink: task.sink, task: task.id, text: opened.value })',
        replace:
          'powers.sender.drafts?.show({ sink: task.sink, task: task.id, text: opened.ok ? opened.value : task.id })',
      },
    ],
  },
  {
    guard: 'what is hidden is shown on a card (`showUnseen`)',
    tests: ['test/wording/card.test.ts'],
    patches: [
      {
        file: 'kernel/wording/visible.ts',
        find: 'return text.replace(UNSEEN, (character) => {',
        replace: 'return text.replace(/(?!)/g, (character) => {',
      },
    ],
  },
  {
    guard: 'where it goes stands first on a card (`inOrder`)',
    tests: ['test/wording/card.test.ts'],
    patches: [
      {
        file: 'kernel/features/approvals/card/card.ts',
        find: 'return [...declared.filter(leads), ...declared.filter((name) => !leads(name)), ...others]',
        replace: 'return [...declared, ...others.filter((name) => !leads(name))]',
      },
    ],
  },
  {
    guard: 'a fold says what it hides (`foldLine`)',
    tests: ['test/wording/card.test.ts'],
    patches: [
      {
        file: 'kernel/features/approvals/card/card-face.ts',
        find: 'const count = text.length - marks - (lines.length - 1)',
        replace: 'const count = Math.min(0, marks)',
      },
    ],
  },
  {
    guard: 'what a task may hold, before it runs (`checkHolding`)',
    tests: ['test/invariants/g-template-ceilings.test.ts'],
    patches: [
      {
        file: 'kernel/pipeline/authorize.ts',
        find: 'if (!held.allow) return denied(powers, task, index, held)',
        replace: '',
      },
    ],
  },
  {
    guard: 'what a task may hold, once it was read (`checkRead`)',
    tests: ['test/invariants/c-labels.test.ts'],
    patches: [
      {
        file: 'kernel/call/run-call.ts',
        find: 'return held?.allow === false ? err(held.code, held.facts) : record',
        replace: 'return record',
      },
    ],
  },
  {
    guard: 'no reading up (`checkRead`)',
    tests: ['test/flow/policy.test.ts'],
    patches: [
      {
        file: 'kernel/flow/policy.ts',
        find: "return denyOnThrow(() => checkClearance(ceiling, label, 'ceiling_exceeded'))",
        replace: "return permit('nothing')",
      },
    ],
  },
  {
    guard: 'a key that was pasted is not kept (`withoutPasted`)',
    tests: ['test/pipeline/pasted.test.ts'],
    patches: [
      {
        file: 'kernel/wording/guard/pasted.ts',
        find: '{ text: clean, found } = withoutPasted(unknown)',
        replace: '{ text: clean, found } = { text: unknown, found: false }',
      },
    ],
  },
  {
    guard: 'nor one that was quoted (`withoutPasted`)',
    tests: ['test/pipeline/pasted.test.ts'],
    patches: [
      {
        file: 'kernel/runtime/intake.ts',
        find: 'event.quoted.map((part) => withoutKnown(powers, part).text)',
        replace: 'event.quoted',
      },
    ],
  },
  {
    guard: 'nor one that stood in a file (`withoutKnown`)',
    tests: ['test/pipeline/attachments.test.ts'],
    patches: [
      {
        file: 'kernel/features/files/attachments.ts',
        find: 'withoutKnown(powers, text).text, ...shown',
        replace: 'text, ...shown',
      },
    ],
  },
  {
    guard: 'what was heard is taken in as what was shown (`eventOf`)',
    tests: ['test/pipeline/heard.test.ts'],
    patches: [
      {
        file: 'kernel/features/recordings/transcript.ts',
        find: 'digestOf(words.value) === said',
        replace: "said !== ''",
      },
    ],
  },
  {
    guard: 'only a recording of the owner is offered as a message (`isSpokenAlone`)',
    tests: ['test/pipeline/heard.test.ts'],
    patches: [
      {
        file: 'kernel/features/files/attachments.ts',
        find: 'attachments[0]?.spoken === true',
        replace: 'attachments[0] !== undefined',
      },
    ],
  },
  {
    guard: 'and no other company hears it unasked (`mayBeTranscribed`)',
    tests: ['test/pipeline/heard.test.ts'],
    patches: [
      {
        file: 'kernel/features/files/attachments.ts',
        find: 'SOUNDS.includes(kind) ? mayBeTranscribed(powers, task, attached) : ok(true)',
        replace: 'ok(true)',
      },
    ],
  },
  {
    guard: 'no company looks at a picture (`looks`)',
    tests: ['test/pipeline/pictures.test.ts'],
    patches: [
      {
        file: 'kernel/features/files/attachments.ts',
        find: "sees?.reader.locality === 'home'",
        replace: 'sees !== undefined',
      },
    ],
  },
  {
    guard: 'and no setting makes one look (`visionSchema`)',
    tests: ['test/home/vision-config.test.ts'],
    patches: [
      {
        file: 'sidecar/models/models-config.ts',
        find: "localityOf({ ...own, cloud: false }) === 'home'",
        replace: 'localityOf({ ...own, cloud: false }).length > 0',
      },
    ],
  },
  {
    guard: 'what a model makes of a picture is as raw as the picture (`labeledParts`)',
    tests: ['test/pipeline/pictures.test.ts'],
    patches: [
      {
        file: 'kernel/prompt/finalize.ts',
        find: '...(request.picture === undefined ? [] : [request.picture]),',
        replace: '',
      },
    ],
  },
  {
    guard: 'a picture is one by its bytes (`pictureIn`)',
    tests: ['test/channels/telegram-pictures.test.ts'],
    patches: [
      {
        file: 'kernel/task/picture.ts',
        find: 'found?.[0] ?? null',
        replace: "found?.[0] ?? 'image/jpeg'",
      },
    ],
  },
  {
    guard: 'and none is larger than may be (`seenIn`)',
    tests: ['test/pipeline/pictures.test.ts'],
    patches: [
      {
        file: 'kernel/features/files/attachments.ts',
        find: 'value.data.length > base64Of(most)',
        replace: 'value.data.length > base64Of(Number.MAX_VALUE)',
      },
    ],
  },
  {
    guard: 'a PDF’s process may read nothing of home’s (`CONFINED`)',
    tests: ['test/home/document-reader.test.ts'],
    patches: [
      {
        file: 'sidecar/confined/sandbox.ts',
        find: 'export const CONFINED: readonly string[] = [',
        replace: 'export const CONFINED: readonly string[] = Date.now() > 0 ? [] : [',
      },
    ],
  },
  {
    guard: 'nor reach what the system has (`sandboxCommand`)',
    tests: ['test/home/confined.test.ts'],
    patches: [
      { file: 'sidecar/confined/sandbox.ts', find: "'--unshare-all',", replace: "'--unshare-user'," },
    ],
  },
  {
    guard: 'nor have all of the machine’s memory (`watchMemory`)',
    tests: ['test/home/document-reader.test.ts'],
    patches: [
      { file: 'sidecar/process/run-child.ts', find: '> most) killGroup(child)', replace: '> most) return' },
    ],
  },
  {
    guard: 'a file is somebody else’s words (`attach`)',
    tests: ['test/pipeline/attachments.test.ts'],
    patches: [
      {
        file: 'kernel/features/files/attachments.ts',
        find: 'receive(names, quoted)',
        replace:
          "receive(names, { ...quoted, taint: { level: 'clean', origins: [], touchedBy: [] } } as never)",
      },
    ],
  },
  {
    guard: 'the last look at what leaves (`withoutSecrets`)',
    tests: ['test/pipeline/last-look.test.ts'],
    patches: [
      {
        file: 'kernel/wording/guard/guard.ts',
        find: 'return scrubSecrets(text, powers.known)',
        replace: 'return text',
      },
    ],
  },
  {
    guard: 'only the owner decides (`decide`)',
    tests: APPROVAL_TESTS,
    patches: [
      {
        file: APPROVAL,
        find: "if (decision.principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal', facts)",
        replace: '',
      },
    ],
  },
  {
    guard: 'from a place that is worth enough (`decide`)',
    tests: APPROVAL_TESTS,
    patches: [
      {
        file: APPROVAL,
        find: "if (approves && approval.place === 'home' && decision.place !== 'home')",
        replace: 'if (approves && approval.place === null)',
      },
    ],
  },
  {
    guard: 'in time (`decide`)',
    tests: APPROVAL_TESTS,
    patches: [
      {
        file: APPROVAL,
        find: "if (decision.now >= approval.expiresAt) return err('approval_expired', facts)",
        replace: '',
      },
    ],
  },
  {
    guard: 'what widens reach in another message than proposed it (`decide`)',
    tests: ['test/pipeline/grants.test.ts'],
    patches: [
      {
        file: APPROVAL,
        find: 'if (approves && widens(approval.kind) && !isAnother(decision.message, approval.message))',
        replace: 'if (approves && approval.kind === null)',
      },
    ],
  },
  {
    guard: 'a yes is spent soon (`spend`)',
    tests: APPROVAL_TESTS,
    patches: [
      {
        file: APPROVAL,
        find: 'if (decidedAt === null || spending.now >= spendableUntil(approval))',
        replace: 'if (decidedAt === null)',
      },
    ],
  },
  {
    guard: 'what may be asked of the owner at all (`checkDeclassifiable`)',
    tests: ['test/flow/declassify.test.ts'],
    patches: [
      {
        file: 'kernel/flow/declassify.ts',
        find: "return forbidden ? err('declassification_forbidden', { sink: sinkId }) : ok(true)",
        replace: 'return ok(true)',
      },
    ],
  },
  {
    guard: 'a yes lowers once (`declassify`)',
    tests: ['test/flow/declassify.test.ts'],
    patches: [
      {
        file: 'kernel/flow/declassify.ts',
        find: "if (!decision.spent) return err('approval_unknown', { approval: decision.approvalId })",
        replace: '',
      },
    ],
  },
  {
    // Two walls: raw text is a question that no grant answers, and a value of others that none covers.
    guard:
      'no grant for what others wrote, or what was read out of something (`writeGrantFor`, `neverGranted`)',
    tests: ['test/pipeline/grants.test.ts'],
    patches: [
      {
        file: 'kernel/call/call-verdict.ts',
        find: 'if (!COVERED.includes(question) || neverGranted(input)) return null',
        replace: '',
      },
    ],
  },
  {
    guard: 'a stranger’s task reads under a grant alone (`readGrantFor`)',
    tests: ['test/pipeline/scheduling.test.ts'],
    patches: [
      {
        file: 'kernel/call/read-grant.ts',
        find: "if (granted?.kind !== 'fields') return err('grant_missing', { tool: action.id })",
        replace: "if (granted?.kind !== 'fields') return ok(null)",
      },
    ],
  },
  {
    guard: 'and no further ahead than agreed (`readGrantFor`)',
    tests: ['test/pipeline/scheduling.test.ts'],
    patches: [
      {
        file: 'kernel/call/read-grant.ts',
        find: "return fits ? ok(granted.id) : err('grant_budget_spent', { grant: granted.id })",
        replace: 'return fits ? ok(granted.id) : ok(granted.id)',
      },
    ],
  },
  {
    guard: 'the sanitizer (`sanitize`)',
    tests: ['test/prompt/sanitize.test.ts'],
    patches: [
      {
        file: 'kernel/prompt/sanitize.ts',
        find: 'if (found.length === 0) return text',
        replace: 'if (found.length >= 0) return text',
      },
    ],
  },
  {
    guard: 'what the sanitizer reads is decided by taint (`withoutDirectives`)',
    tests: ['test/prompt/window.test.ts', 'test/prompt/sanitize-block.test.ts'],
    patches: [
      {
        file: 'kernel/prompt/outside.ts',
        find: 'taint === undefined || isClean(taint) ? text : clean(text)',
        replace: 'taint === undefined ? clean(text) : text',
      },
    ],
  },
  ...PLAN_GUARDS,
  ...DISCLOSURE_GUARDS,
  ...OWNER_GUARDS,
  ...POST_GUARDS,
  ...SERIES_GUARDS,
]
