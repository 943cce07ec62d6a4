/**
 * English patterns that urge an assistant to act: claimed authority or mode, an address to any machine reader, requests for a
 * key or a whole mailbox, a story that unlocks an answer (S002 §4.1). Landlords, admins and manuals claim and ask, too: only
 * what nobody would write to a person counts. Holds rules only. Called by sanitize-find.ts.
 */
import { AS_MACHINE_READER } from './sanitize-identity.ts'
import { type Rule, rule } from './sanitize-rule.ts'

export const AUTHORITY_RULES: readonly Rule[] = [
  rule(
    'authority',
    '\\bi have (?:full )?(?:root|admin|administrator|sudo|superuser|developer) (?:access|rights|privileges|permissions?),? (?:so|and|therefore),? (?:comply|obey|you|do|execute|please)',
  ),
  rule(
    'authority',
    '\\bi (?:hereby )?(?:permit|authori[sz]e|allow|instruct|order|command) you to (?:skip|bypass|ignore|override|disregard|break|violate|reveal|drop)\\b',
  ),
  rule(
    'authority',
    '\\bthis is (?:the )?(?:openai|anthropic|google ai|deepmind|mistral|your developers?|your creators?)\\b(?: (?:support|team|staff|speaking|security))?(?=[.,:!;]| speaking| support| security| team)',
  ),
  rule(
    'authority',
    '\\b(?:disable|turn off|switch off|deactivate|lift|lower|remove) (?:all )?(?:of )?your (?:\\w{1,10} )?(?:restrictions|safeguards|guardrails|safety \\w{4,10}|content (?:filters?|policy)|ethical \\w{4,12}|filters?(?=[.!,;]|$))',
  ),
  rule(
    'authority',
    '\\b(?:maintenance|debug|admin|root|system|diagnostic|recovery|verification|test) mode(?: is)?(?: now)? ?(?:activated|enabled|engaged|initiated|unlocked)\\b',
    '^[^\\n]{0,60}\\b(?:provide|give me|tell me|show me|reveal|confirm|share|list|ignore|disregard|you (?:must|will|can))\\b',
  ),
  rule(
    'authority',
    `<\\s?/?(?:(?:system|god|admin|root|developer|dev|debug|dan|jailbreak|maintenance|override|unrestricted) mode|(?:[a-z]{1,14} ){1,2}(?:modus|modo|modalita|tila|lage|rezim)|(?:modus|modo|modalita|tryb|mod)(?: [a-z]{1,14}){1,2}) ?>`,
  ),
  rule(
    'authority',
    `\\b(?:god|sudo|jailbreak|dan|unrestricted|developer|dev|override|evil|opposite|superuser) mode(?: is)?(?: now)? ?(?:activated|enabled|engaged|initiated|unlocked|active|output)\\b(?! (?:by default|in|for|on) )`,
  ),
  rule(
    'authority',
    `\\b(?:i'm|i am|we are|we're) (?:now )?(?:initiating|entering|activating|engaging|enabling|putting you in(?:to)?) (?:an? |the |your )?["']?(?:[\\w-]{1,14} ){0,2}?(?:mode|reset|override|diagnostics?|protocol)\\b`,
  ),
  rule(
    'authority',
    `\\b(?:you (?:are|must|will|should|can) (?:now )?)?(?:enter|entering|switch (?:in)?to|go into|activate|enable|engage|unlock) (?:your |now |into |to ){0,2}["']?(?:the )?(?:god|dan|jailbreak|unrestricted|evil|opposite|sudo|override|unsafe|no-?filter) mode`,
  ),
  rule(
    'authority',
    `\\b(?:system|admin(?:istrator)?|root|security|developer|emergency|creator|sudo|owner|safety) override(?= ?[:;,!]| (?:mode|enabled|engaged|activated|initiated|accepted|granted|protocol|authori[sz]ed)|$)`,
  ),
  rule(
    'authority',
    `\\b(?:i'm|i am|this is) your (?:real |true |actual |new )?(?:developer|creator|programmer|maker|master|god|owner|system administrator|supervisor at openai)s?\\b(?! of (?:the )?(?:flat|house|dog|building|apartment))`,
  ),
  rule(
    'authority',
    '\\bas your (?:creator|developer|programmer|maker|master|god|system administrator),? (?:i|we)\\b',
  ),
  rule(
    'authority',
    "\\b(?:i'm|i am) (?:actually )?(?:god|the president of the united states|the ceo of \\w+|an? (?:openai|anthropic|google|meta|microsoft) (?:engineer|employee|developer|researcher|administrator|admin)|(?:the )?(?:system|your) administrator|an? (?:authori[sz]ed )?(?:system )?administrator and)",
  ),
  rule(
    'authority',
    '\\byou (?:must|have to|need to|shall|will) (?:now |always |only |strictly ){0,2}(?:obey|listen to|follow|comply with|execute) (?:me\\b|all (?:of )?my|my (?:instructions|orders|commands|words)|every (?:instruction|order|command|word))',
  ),
  rule(
    'authority',
    '\\b(?:the|your) (?:real|true|actual) (?:user|owner|master|principal|operator) is\\b|\\bno (?:owner|user|master) other than\\b',
  ),
  rule(
    'authority',
    `\\bthe user has (?:already |now |just |fully |explicitly |pre-?){0,2}(?:approved|authori[sz]ed|consented to|granted|confirmed|given (?:you )?(?:full )?permission)`,
  ),
  rule(
    'authority',
    `\\bas an? (?:certified |authori[sz]ed |licen[sc]ed |senior |trusted |official ){0,2}(?:red ?teamer|pen(?:etration)? ?tester|security researcher|ethical hacker|law enforcement officer|system administrator|ai safety researcher|cybersecurity expert),? (?:please )?(?:provide|give|tell|show|explain|share|write|describe|list|i (?:need|require|request|demand))`,
  ),
  rule(
    'authority',
    `\\bsafety (?:is )?(?:now )?off(?=[.,;!]|$)|\\b(?:safety|content|ethic\\w*) (?:filters?|checks?|guidelines|restrictions|polic(?:y|ies)) ?(?:is |are |have been )?(?:now )?(?:off|disabled|deactivated|turned off|suspended|lifted)(?=[.,;!]|$)`,
  ),
  rule(
    'authority',
    '\\b(?:system|assistant|internal|model) (?:chain of thought|chain-of-thought|scratchpad|inner monologue)\\b',
  ),
]

const READER =
  '(?:ai|a\\.i\\.|llms?|language models?|chat ?bots?|automated (?:assistants?|systems?|agents?|readers?)|virtual assistants?|ai-?powered \\w{1,12}|ai (?:assistants?|agents?|models?|systems?|readers?|tools?)|machine readers?|email assistants?)'
const TEXT =
  '(?:e-?mail|message|page|website|site|document|text|article|invite|invitation|calendar (?:invite|entry|event)|thread|file|note|review|comment|content|attachment|listing|cv|resume|ticket|issue|profile|description|transcript)'

export const ADDRESS_RULES: readonly Rule[] = [
  rule(
    'address',
    `(?:^|[\\n.!?>"]\\s?|<!-- ?)(?:(?:hey|ok|okay|hi|hello|dear),? )?@?(?:ai|assistant|computer|siri|alexa|chat ?gpt|ai (?:agent|assistant|model)|llm|chat ?bot|bot|claude|copilot) ?[,:] (?:please |now |you must |kindly ){0,2}(?:ignore|disregard|forget|forward|send|delete|approve|execute|run|call|reply|respond|mark|tell|add|append|insert|transfer|pay|open|do not|do the|list|print|reveal|output|summari[sz]e|remember|say|write|include|translate|share|click|visit|book|cancel|move)\\b`,
  ),
  rule(
    'address',
    '(?:^|[\\s.!?>"])@(?:assistant|ai|bot|llm|agent|pfar)\\b,? (?:please|send|forward|delete|reply|ignore|approve|add|mark|do)\\b',
  ),
  rule(
    'address',
    `\\bto (?:the|any|every|whatever|whichever|all) (?:ai|assistant|llm|bot|agent|language model|machine|model)s?,? (?:that|which|who|now|currently) (?:is |are )?(?:read|summari[sz]|process|handl|see|answer|manag|pars)\\w*`,
  ),
  rule(
    'address',
    '\\b(?:who|what|which)ever (?:\\w{1,10} ){0,3}?(?:processes|reads|summari[sz]es|parses|handles) this (?:\\w{1,10} )?automatically|\\bfor (?:ai|llm|bot|machine)s? (?:eyes|readers|use|consumption) only\\b',
  ),
  rule(
    'address',
    '<!-- ?(?:to |for |dear |hey |note to |the |all ){0,2}(?:ai|assistants?|system|llms?|bots?|agents?|chat ?gpt|claude|gpt|copilot|gemini)\\b',
  ),
  rule(
    'address',
    `\\b(?:note|message|notice|reminder|instructions?|attention|memo|warning|important|info|information|request|task|todo|directive|orders?|command|hint)s?(?: is| are| intended| meant)? ?[:,-]? (?:to|for) (?:all |any |the |our |my |every |whichever |whatever ){0,2}(?:${READER}\\b|assistant (?=reading|processing|summari|who|that)|assistant[:,])${AS_MACHINE_READER}`,
  ),
  rule(
    'address',
    `\\bif (?:you(?:'re| are)|the reader is|this is (?:being )?(?:read|processed|summari[sz]ed) by) (?:an? |the |any )?(?:ai\\b${AS_MACHINE_READER}|llm\\b|(?:large )?language model|chat ?bot\\b|automated (?:assistant|system|agent|tool)|virtual assistant|artificial intelligence|machine reading|assistant reading|intelligent agent)`,
  ),
  rule(
    'address',
    `\\b(?:${READER}|assistants?|agents?|models?)[,]? (?:who |that |which |is |are |currently |now ){0,2}(?:reading|processing|summari[sz]ing|parsing|handling|viewing|analy[sz]ing|reads?|process(?:es)?|summari[sz]es?|scanning|scans?|indexing) (?:this|the present|the following)(?= ${TEXT}|[.,:;!]|$)`,
  ),
  rule(
    'address',
    `\\b(?:when|while|before|after|if|once) (?:you )?(?:summari[sz](?:e|es|ing)|translat(?:e|es|ing)|analy[sz](?:e|es|ing)) (?:this|the) ${TEXT}s?,? .{0,30}?(?:say|include|add|write|tell|mention|append|always|you must|insert|output|state|recommend|do not mention|omit|reply|end with)\\b`,
  ),
  rule(
    'address',
    '\\bmessage from (?:me, )?(?:the|your) (?:user|real user|owner|developers?|creators?|system administrator|operator|makers)\\b|\\bfrom me, the user\\b',
  ),
  rule(
    'address',
    '\\b(?:important )?message from (?:me, )?[^.\\n]{1,40}?,? to you, (?:chat ?gpt|claude|gemini|ai\\b|the (?:ai|assistant|model)|assistant|gpt|llama|grok|copilot|dear ai)',
  ),
  rule(
    'address',
    '\\bbefore you (?:can )?(?:solve|continue|complete|do|start|proceed with|finish|answer|perform|work on) (?:with )?(?:the|your|my) (?:original |initial |current |first |main )?(?:tasks?|question) (?:that )?(?:i|you|the user|which)\\b',
  ),
  rule(
    'address',
    '(?:^|[\\n.!?:;"\'>]\\s?)(?:hello|hi|hey|dear|attention|listen|ok|okay|yo)[,!]? (?:chat ?gpt|gpt-?\\d?|ai|a\\.i\\.|ai (?:assistant|agent|model)|llm|language model|gemini ai|claude ai|bing chat|chat ?bot|ai)(?=[,!.:;\\n]|$| (?:assistant|agent|model|please|you|i )\\b)',
  ),
  rule(
    'address',
    '\\b(?:and|please|just|now) (?:also )?(?:tell|inform|instruct|convince|persuade|advise|urge|direct|order|trick) the user (?:to|that) (?:\\w{1,10} ){0,3}?(?:visit|go to|click|open|call|pay|transfer|send|wire|buy|reset)\\b',
  ),
  rule(
    'address',
    '\\b(?:state|admit|confess|say)(?: the following)?:? ?["\']?i admit to using (?:an? )?(?:ai|llm|language model|chat ?gpt)|\\bi admit to using (?:an? )?(?:ai|llm|language model|chat ?gpt)',
  ),
  rule(
    'address',
    '\\buse this (?:analysis|result|reasoning|verdict) to (?:evaluate|judge|rate|score|rank) the (?:candidate|applicant|paper|submission|product)',
  ),
  rule(
    'address',
    `\\b(?:this (?:candidate|applicant|paper|submission|product|cv|resume) (?:must|should|has to) be (?:rated|ranked|scored|recommended|accepted|hired)|give (?:a |only )?(?:positive|glowing) reviews? only)\\b`,
  ),
]

/** Objects of an order to send all of a person's messages or keys to one address. */
const HOARD =
  '(?:messages|e-?mails|mails|conversations?|chats|chat history|inbox|mailbox|contacts|address book|passwords|credentials|api keys|secrets|private keys)'
const ADDRESS = '(?:[\\w.+-]{1,64}@[\\w-]{1,63}\\.|https?://)'

export const SECRET_RULES: readonly Rule[] = [
  rule(
    'secret',
    "\\b(?:include|add|put|insert|append|attach|mention|repeat) (?:all |every )?(?:the )?(?:user|owner)(?:'s|s)? (?:\\w{1,12} ){0,3}(?:in|to|into|at the end of) (?:your|the) (?:answer|reply|response|summary|output)",
  ),
  rule(
    'secret',
    '\\b(?:send|give|show|forward|mail|e-?mail|upload)(?: me| us)? (?:every|all|each|any) (?:of )?(?:the )?(?:files?|data|documents?|information|records?|messages?|e-?mails?) (?:that )?you (?:can (?:access|see|read|find)|have(?: access)?(?=[.!,;]|$| to\\b| about))',
  ),
  rule(
    'secret',
    `\\b(?:send|forward|e-?mail|upload|post|transmit|exfiltrate|copy|leak|export) (?:me |us )?(?:all|every|the (?:entire|whole|full|complete)) (?:of )?(?:the |your |my |his |her |their |user's |owner's |our ){0,2}(?:[\\w-]{1,12} ){0,2}?${HOARD}(?: (?:and|in|from|of) [\\w' -]{1,30})? (?:to|at|via) (?:[\\w]{1,12} ){0,2}?${ADDRESS}`,
  ),
  rule(
    'secret',
    "\\bwhat(?:'s| is| are| was| would| could| might) (?:\\w{1,10} )?your (?:own )?(?:secret|password|private key|access (?:code|token)|passphrase|credentials|api key|secret key|master key)s?\\b",
  ),
  rule(
    'secret',
    '\\b(?:tell|give|show|send|share|reveal|provide|confirm|disclose|print|output|leak)(?: me| us| out| with me)? your (?:\\w{1,10} )?(?:secret (?:key|code|token|word)|private key|api key|access token|system password|encryption key|master key)s?\\b',
  ),
  rule(
    'secret',
    "\\b(?:share|reveal|disclose|leak|tell me|give me|hand over|confirm|exfiltrate) (?:all |everything about )?the user(?:'s|s)? (?:\\w{1,12} ){0,2}(?:e-?mail|password|address|phone|data|location|birth|credit|account|contacts|secrets?|personal|name|details|information|credentials)",
  ),
  rule('secret', '\\bwhere does the (?:current )?user (?:currently )?(?:live|work|reside|bank)'),
]

export const FICTION_RULES: readonly Rule[] = [
  rule(
    'fiction',
    `\\b(?:imagine|picture|suppose|pretend|envision|let's (?:say|imagine|pretend|suppose))\\b`,
    `\\b(?:world|scenario|universe|society|land|forest|spaceship|city|village|planet|kingdom|future|place|realm|island|galaxy|where|in which)\\b`,
    `\\b(?:passwords?|personal (?:data|information|details)|private (?:data|information|details)|secrets?|secret keys?|credentials|confidential (?:data|information)|user data|credit cards?)\\b`,
    `\\b(?:could you|can you|would you|tell me|what would|what is|what's|give me|share with me|as a \\w{1,14},)`,
  ),
  rule(
    'fiction',
    `\\bin (?:a|an|this|that|some) (?:[\\w-]{1,14} ){0,4}?(?:world|universe|society|scenario|future|reality|dimension|kingdom|land|story)\\b`,
    `\\bwe (?:might|would|could|may|can|should) (?:state|say|write|claim|declare|announce|read|respond|answer) ?:`,
  ),
  rule(
    'fiction',
    `\\b(?:assume|say|suppose|have|given|define)(?: we)?(?: have)? (?:the )?(?:two|three|four|five|\\d|following|these) (?:strings|variables|fragments)\\b`,
    `\\b[a-z] ?\\+ ?[a-z]\\b`,
    `\\b(?:write|print|say|give|output|return|execute|send|respond|follow|answer|tell)\\b`,
  ),
  rule(
    'fiction',
    `\\b(?:hypothetically|for (?:a|my) (?:novel|story|movie|film|book)|as a thought experiment)\\b`,
    `\\b(?:your (?:system prompt|instructions|rules|guidelines|secret)|no (?:rules|restrictions|guidelines))\\b`,
  ),
]
