/**
 * The site rule as data (STYLE 3 and 15): the few files that may use the functions that unwrap, label, lower, send,
 * fetch or wait, each with a reason. Must not read files: source-check.ts applies it, for `npm run check` and for
 * test/imports.test.ts.
 */
import { READING } from './import-rules.ts'

/** A function, class or member that only the listed files may mention. An entry that ends in `/` is a folder. */
export interface SiteRule {
  /** An identifier (`openForSink`), or the end of a member path (`.tools.run`). */
  readonly name: string
  /** Folders that the rule applies to. */
  readonly within: readonly string[]
  readonly only: readonly string[]
  readonly why: string
}

const PRODUCTION = ['kernel/', 'integrations/', 'durable-objects/', 'worker/', 'sidecar/', 'scripts/']
const LABELED = 'kernel/flow/labeled.ts'

export const SITE_RULES: readonly SiteRule[] = [
  {
    name: 'setTimeout',
    within: ['durable-objects/'],
    // These files delay an answer while a request or a model call is in progress.
    only: ['durable-objects/principal/deliveries.ts', 'durable-objects/models.ts'],
    why: 'an object with a timer does not sleep, and one that is evicted forgets it: what comes later is an alarm',
  },
  {
    name: 'setInterval',
    within: ['durable-objects/'],
    only: [],
    why: 'an object with a timer does not sleep, and one that is evicted forgets it: what comes later is an alarm',
  },
  {
    name: 'openForPrompt',
    within: PRODUCTION,
    only: [LABELED, 'kernel/prompt/finalize.ts'],
    why: 'every prompt comes from finalize, which asks the policy for the model that will read it',
  },
  {
    name: 'callModel',
    within: PRODUCTION,
    only: ['kernel/inference/router.ts', 'kernel/model-call/model-call.ts'],
    why: 'every call says whose prompt it is and carries what the assistant knows of itself',
  },
  {
    name: 'classifySignal',
    within: PRODUCTION,
    only: ['kernel/prompt/', 'kernel/model-call/guidance.ts'],
    why: READING.why,
  },
  {
    name: '.manner',
    within: ['kernel/'],
    only: [
      'kernel/model-call/guidance.ts',
      'kernel/features/commands/own-commands.ts',
      'kernel/runtime/intake.ts',
    ],
    why: 'how the owner wants to be answered is for the words of an answer; no verdict may read it',
  },
  {
    name: '.planMode',
    within: ['kernel/'],
    only: [
      'kernel/machine/machine.ts',
      'kernel/features/plan-mode/plan-mode.ts',
      'kernel/features/plan-mode/show-plan.ts',
      'kernel/features/places/home-wait.ts',
      'kernel/wording/progress.ts',
    ],
    why: 'that plans are shown first adds a question and takes none away: no verdict may read it',
  },
  {
    name: 'openForTool',
    within: PRODUCTION,
    only: [LABELED, 'kernel/call/run-call.ts', 'kernel/features/commands/slash.ts'],
    why: 'arguments are opened for one authorised call, where its token is checked, or for the operation that the owner himself names',
  },
  {
    name: 'openForSink',
    within: PRODUCTION,
    only: [LABELED, 'kernel/features/deliveries/deliver.ts'],
    why: 'nothing leaves but through the label check and the output guard of deliver',
  },
  {
    name: 'Labeled.reveal',
    within: PRODUCTION,
    only: [LABELED],
    why: 'the one door to a labelled value; everyone else names a reader',
  },
  {
    name: 'new Labeled',
    within: PRODUCTION,
    only: [LABELED],
    why: 'a label is given by createLabeled, whose callers are listed here',
  },
  {
    name: 'createLabeled',
    within: PRODUCTION,
    only: [
      LABELED,
      'kernel/flow/provenance.ts',
      'kernel/flow/record.ts',
      'kernel/flow/declassify.ts',
      'kernel/vault/records.ts',
    ],
    why: 'whoever labels a value could label it too low: receipt, records, sealed storage and nobody else',
  },
  {
    name: 'insideOf',
    within: PRODUCTION,
    only: [LABELED, 'kernel/flow/record.ts', 'kernel/flow/declassify.ts', 'kernel/vault/records.ts'],
    why: 'it asks no policy: for records, which keep the label, and for sealed storage',
  },
  {
    name: 'new LabeledRecord',
    within: PRODUCTION,
    only: ['kernel/flow/record.ts'],
    why: 'a record is made where its fields are validated',
  },
  {
    name: 'decayField',
    within: PRODUCTION,
    only: ['kernel/flow/taint.ts', 'kernel/flow/record.ts'],
    why: 'the single way by which taint falls: a declared structured field of a record',
  },
  {
    name: 'declassify',
    within: PRODUCTION,
    only: ['kernel/flow/declassify.ts', 'kernel/call/kernel-effects.ts'],
    why: 'the only way a label falls: for one approved reply, whose approval was spent on it',
  },
  {
    name: 'new FinalPrompt',
    within: PRODUCTION,
    only: ['kernel/prompt/finalize.ts'],
    why: 'a prompt that finalize did not make has skipped the identity, the sanitizer and the label check',
  },
  {
    name: 'new CarriedPrompt',
    within: PRODUCTION,
    only: ['kernel/prompt/forwarded-prompt.ts'],
    why: 'what crossed the tunnel is a prompt once its identity was found in its first bytes',
  },
  {
    name: 'receivePrompt',
    within: PRODUCTION,
    only: ['kernel/prompt/forwarded-prompt.ts', 'kernel/features/models/serve-model.ts'],
    why: 'a prompt that was not made here is for a model of the owner’s own alone, and home checks first who asks and its label',
  },
  {
    name: 'serveModelAsk',
    within: PRODUCTION,
    only: ['kernel/features/models/serve-model.ts', 'sidecar/tunnel/edge-connection.ts'],
    why: 'it answers whoever holds the proven edge’s connection, and nobody else has a question for it',
  },
  {
    name: '.complete',
    within: ['kernel/', 'durable-objects/', 'worker/', 'sidecar/', 'scripts/'],
    only: ['kernel/inference/'],
    why: 'a model is called by the router, which chose it by the label',
  },
  {
    name: '.sender',
    within: ['kernel/'],
    only: ['kernel/features/deliveries/deliver.ts'],
    why: 'whoever holds the sender could send what the guard has not seen',
  },
  {
    name: '.tools.run',
    within: ['kernel/', 'durable-objects/', 'worker/', 'sidecar/', 'scripts/'],
    only: ['kernel/call/run-call.ts'],
    why: 'a tool runs where its token is checked and counted, and nowhere else',
  },
  {
    name: 'issueCapability',
    within: PRODUCTION,
    only: ['kernel/task/capability.ts', 'kernel/pipeline/authorize.ts', 'kernel/features/models/serve.ts'],
    why: 'a token is a verdict in writing: of authorize, or of home on a call that the edge asks for',
  },
  {
    name: '.unseal',
    within: PRODUCTION,
    only: ['sidecar/secrets/'],
    why: 'a secret is in the clear for one call of one tool: the issuer and the renewer of credentials, nobody else',
  },
  {
    name: 'openClosedBox',
    within: PRODUCTION,
    only: [
      'integrations/sealing/sealed-box.ts',
      'sidecar/secrets/sealing-key.ts',
      'durable-objects/principal/object-part.ts',
    ],
    why: 'what was sealed to home is opened at home, where the owner decides about it; a new edge opens the key of its own rows',
  },
  {
    name: 'extractor.extract',
    within: ['kernel/'],
    only: ['kernel/powers/read-message.ts', 'kernel/powers/typed-fields.ts'],
    why: 'a reader of messages that throws leaves a message without fields, wherever it is asked (J-12)',
  },
  {
    name: '.files.text',
    within: ['kernel/'],
    only: ['kernel/features/files/attachments.ts'],
    why: 'a file is fetched for the owner alone, within its bounds, and what is in it is somebody else’s words',
  },
  {
    name: '.files.picture',
    within: ['kernel/'],
    only: ['kernel/features/files/attachments.ts'],
    why: 'a picture is fetched for the owner alone, within its bounds, and shown to a model of their own',
  },
  {
    name: 'askLooker',
    within: PRODUCTION,
    only: ['kernel/model-call/model-call.ts', 'kernel/features/files/attachments.ts'],
    why: 'what a model makes of a picture is raw, and is kept as that',
  },
  {
    name: 'getDocumentProxy',
    within: PRODUCTION,
    only: ['sidecar/documents/pdf-text.ts'],
    why: 'a PDF is hostile: it is taken apart where there is nothing to take',
  },
  {
    name: 'pdfText',
    within: PRODUCTION,
    only: ['sidecar/documents/pdf-text.ts', 'sidecar/documents/document-child.ts'],
    why: 'a PDF is taken apart in a process of its own, which may read nothing of home’s',
  },
  {
    name: '.credentials.issue',
    within: PRODUCTION,
    only: ['integrations/tools/port.ts'],
    why: 'a credential is given to a call whose token was checked, by who runs that call',
  },
]
