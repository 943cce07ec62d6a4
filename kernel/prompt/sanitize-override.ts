/**
 * English patterns of "drop your instructions" and of asking for them (S002 §4.1). The object must be a machine's
 * (instructions, prompt, rules of the reader), with "previous", "above", "all" or "your": mails about an earlier mail, invoice
 * or appointment have another object. Holds rules only. Called by sanitize-find.ts.
 */
import { type Rule, rule } from './sanitize-rule.ts'

const DROP =
  "(?:ignore|disregard|forget(?: about)?|overlook|override|overrule|bypass|circumvent|discard|neglect|abandon|dismiss|disobey|unlearn|supersede|set aside|put aside|throw (?:away|out)|pay no (?:attention|heed) to|(?:do not|don't|never) (?:follow|obey|heed|listen to|comply with|adhere to)|(?:stop|cease|quit) (?:following|obeying|heeding|listening to)|no longer (?:follow|obey|heed))"
const WIPE = '(?:delete|erase|clear|reset|wipe|purge|remove|cancel|drop|void|nullify|skip|suspend|replace)'
const DETERMINER =
  '(?:absolutely|completely|entirely|all|any|every|each|the|your|my|our|these|those|this|that|of|whatever|such|other|single|set of|list of)'
const EARLIER =
  '(?:previous(?:ly)?|prev|prior|above|preceding|earlier|foregoing|former|past|original|initial|given|aforementioned|hidden|openai)'
const ORDERS =
  '(?:i?u?nstr?uctions?|directions?|directives?|prompts?|guidelines?|commands?|constraints?|restrictions?|programming|guardrails?|safeguards?|safety (?:rules|filters?|measures|protocols?)|system (?:messages?|prompts?|rules)|contexts?|rules?|training|polic(?:y|ies)|conditioning|limitations?|protocols?|filters?)'
const NARROW =
  '(?:instructions?|directives?|prompts?|guidelines|programming|system (?:messages?|prompts?|rules)|guardrails?)'
/** Phrases after the object that assign the instructions to a thing: a printer, a venue, a mail. */
const ABOUT_A_THING =
  '(?! (?:about (?!safety)|for the|for your|on (?:the|page|how|your)|regarding|concerning|to the|in my|in our|in the (?:mail|e-?mail|letter|manual|attachment|booklet|leaflet|document)|in section|from (?:my|our|last|the)|(?:that )?(?:i|we) (?:sent|gave|e-?mailed|mailed|posted|wrote)|of the (?:manual|recipe|device|court|manufacturer)|at the|printed|enclosed|attached|on page))'
const BEGINS =
  '(?:(?:^|\\n|[.!?:;"\'>(\\]/#-]\\s?)(?:(?:please|now|and|then|so|also|just|actually|instead|ok|okay|hey),? ){0,2})'
const TOLD =
  '(?:told|learned|learnt|read|taught|instructed|trained|given|know|knew|known|received|heard|asked|said|programmed)(?! (?:about|for christmas|on the news))'
const ANSWER =
  '(?:state|output|claim|respond with|reply with|answer with|translate|print|write|say (?:that|only|just|["\'])|tell me|give me|do the following|follow|execute|instead|just)'

export const OVERRIDE_RULES: readonly Rule[] = [
  rule(
    'override',
    `\\b${DROP} the rest of (?:the|your) (?:instructions|rules|prompt|guidelines) and (?:simply |just |only |instead )?(?:answer|reply|respond|say|print|output|do|follow|write)`,
  ),
  rule(
    'override',
    `\\b(?:${DROP}|drop|lift) (?:${DETERMINER} ){0,3}(?:instructions?|directives|prompts?|guidelines|rules|commands|restrictions) (?:that |which )?(?:you (?:have |had |were |'ve |currently )?(?:been )?(?:\\w{1,10} )?(?:received|given|got|read|follow|seen|told)|(?:came|stood|were given|was given) (?:before|earlier|above))`,
  ),
  rule(
    'override',
    `\\b${DROP} (?:[\\w']{1,12} ){1,5}?and (?:all )?your (?:rules|instructions|guidelines|programming|prompt|restrictions)\\b`,
  ),
  rule(
    'override',
    '\\b(?:ignore|disregard|forget) (?:it|this|that|them|everything|all) and (?:then )?(?:obey|follow|execute|comply)\\b',
  ),
  rule(
    'override',
    '\\byour (?:system )?(?:instructions|directives|prompt|programming) (?:have|has) (?:now |just )?changed\\b',
  ),
  rule(
    'override',
    `\\b${DROP} (?:all |any |the ){0,2}(?:${EARLIER}|following|subsequent) (?:and|or) (?:all |any |the )?(?:${EARLIER}|following|subsequent|future) (?:instructions|commands|prompts|directives|rules)`,
  ),
  rule(
    'override',
    "(?:^|[.!\\n]\\s?)stop[.!:,]? ?(?:here is )?(?:your |a |the )?new task ?:|\\bstop what you(?: are|'re) doing and (?:list|print|reveal|tell me|show|repeat|obey|execute|output|ignore|follow)\\b",
  ),
  rule(
    'override',
    '\\binstead of (?:following|obeying|heeding) (?:your|the system|the (?:previous|above|original)) (?:instructions|rules|guidelines|prompt|directives)',
  ),
  rule(
    'override',
    `\\ball (?:of )?(?:the |your |my )?(?:${EARLIER} )(?:instructions|commands|directives|prompts) (?:are|have been|were) (?:hereby |now )?(?:revoked|void|cancell?ed|null|suspended|overridden|obsolete|deleted)`,
  ),
  rule(
    'override',
    `\\b${DROP} (?:${DETERMINER} ){0,4}(?:${EARLIER}(?: and| or|,)? ){1,3}(?:\\w{1,14} )?${ORDERS}\\b${ABOUT_A_THING}`,
  ),
  rule(
    'override',
    `\\b${DROP} (?:all|any|every|each)(?: of)?(?: the| your| these| those| my| other)? ?(?:\\w{1,14} ){0,1}?(?:instructions?|iunstructions|prompts?|directives?|guidelines|rules|restrictions|constraints|programming|commands|safety \\w{4,12})\\b${ABOUT_A_THING}`,
  ),
  rule(
    'override',
    `\\b${DROP} your (?:\\w{1,14} ){0,2}${ORDERS}\\b(?! (?:wheels?|sessions?|plan|course|shoes|about))`,
  ),
  rule(
    'override',
    `\\b(?:${DROP}|never mind) (?:the |your |any |these |all ){1,2}(?:(?:instructions|directives|rules|guidelines|prompts?|orders) (?:of|by|from) (?:your|the) (?:operator|user|owner|developers?|creators?|system)|(?:instructions|directives|rules|guidelines) (?:that were |which were |you were )?(?:stated|given|set|mentioned|provided|listed|written)(?: to you)? (?:earlier|above|before|previously|so far)|system (?:prompt|message|instructions?|rules))\\b`,
  ),
  rule('override', `\\b${WIPE} (?:${DETERMINER} ){0,3}(?:${EARLIER} ){1,2}${NARROW}\\b${ABOUT_A_THING}`),
  rule(
    'override',
    `\\b${WIPE} (?:all )?(?:of )?your (?:\\w{1,14} ){0,1}(?:instructions|programming|system prompt|guidelines|guardrails|memory|context)(?= and| now|[.,;!]|$)`,
  ),
  rule(
    'override',
    `${BEGINS}(?:ignore|disregard|forget) (?:the )?(?:instructions|guidelines|system prompt|prompt)(?=[,.;:!\\n"]|$| and )`,
  ),
  rule(
    'override',
    `\\b(?:ignore|disregard|forget|unlearn|discard) (?:absolutely |about )?(?:everyth?ing|anything|all|whatever|what)(?: of)?(?: that| what| which| of what)? (?:i've |i |you (?:have |had |'ve |were |was |are |just |already |ever |think you ){0,3})?(?:been )?${TOLD}`,
  ),
  rule(
    'override',
    `\\b(?:ignore|disregard|forget) (?:everyth?ing|anything|all)(?: that)?(?: (?:came|was|is|stood|went|written|said|stated|mentioned|comes|has been said|text)){0,3} (?:above(?! the|,? except)|before this|before that|prior to this|previously|so far|until now|up to (?:now|this point|here)|up till now)`,
  ),
  rule(
    'override',
    `\\b(?:ignore|disregard|forget) (?:all |everything |anything )?(?:of )?(?:the )?above(?: text)?,? (?:and )?(?:${ANSWER}|ignore|disregard|forget)`,
  ),
  rule(
    'override',
    "\\b(?:ignore|disregard|forget) the (?:user|task|original (?:task|question|request)|user's (?:request|question|query|message|task))(?= and|[.,;:!]|$)",
  ),
  rule(
    'override',
    `\\b(?:ignore|disregard|forget) (?:the |this |that |all |any ){0,2}(?:\\w{1,14} ){1,3}?and (?:just |instead |only |simply )?(?:state|output|claim|respond with|reply with|answer with|say (?:that|only|the \\w{1,12} (?:is|are|was)))\\b`,
  ),
  rule(
    'override',
    `\\b(?:regardless|irrespective) of (?:all |any |the |your |these |my ){0,2}(?:${EARLIER} ){1,2}(?:tasks?|instructions?|prompts?|directions|commands)`,
  ),
  rule(
    'override',
    '\\b(?:forget|never mind|ignore|disregard|scrap|leave) (?:about )?(?:that|this|it|those|all that)[,.;:!-]{0,2} (?:and |now |just |instead,? |please ){0,2}(?:can|could|would|will) you (?:please |instead )?(?:translate|provide (?:an?\\b|me with)|write an?\\b|tell me (?:how|what|about|a joke)|list|explain|generate|summari[sz]e|create|compose|describe|sort|classify|rank|recommend)',
  ),
  rule(
    'override',
    `(?:\\bimportant new|\\bnew system|\\bnew priority|\\bnew secret|\\bnew override) (?:instructions?|directives?|prompt|orders)\\b`,
  ),
  rule(
    'override',
    '\\byour (?:new|real|actual|only|true|updated|revised) (?:system )?(?:instructions?|directives?|prompt|prime directive|programming|objective function) (?:is|are|now)(?! attached| enclosed| below|:? to (?:sell|win))',
  ),
  rule(
    'override',
    `\\byour (?:${EARLIER} )(?:instructions|prompt|guidelines|rules|programming|directives) (?:are|is|have been|were|has been|no longer) (?:now )?(?:\\w{1,12} ){0,2}(?:void|invalid|cancell?ed|obsolete|superseded|replaced|overridden|revoked|fake|a test|apply|suspended|lifted|deleted)`,
  ),
  rule(
    'override',
    '\\b(?:these|new|updated|following|my) (?:instructions?|directives?|orders) (?:(?:take|have) (?:precedence|priority) over (?:your|all|any|the (?:system|previous))|(?:override|supersede|replace) (?:your|all (?:previous|prior|earlier)|any (?:previous|prior)|the system))',
  ),
  rule(
    'override',
    '\\b(?:start|begin)(?:ning)? (?:over )?(?:with )?a (?:new|fresh) (?:session|conversation|context) (?:and|with|where|in which) (?:no|without|new|you)\\b',
  ),
  rule(
    'override',
    '\\bdo not (?:print|say|output|write|answer|reply|respond)(?: anything| with anything)?\\. do not (?:print|say|output|write|answer|reply|respond)',
  ),
  rule(
    'override',
    "\\b(?:do(?:es)? not|don't|doesn't|no longer) (?:have|need|has|needs) to (?:abide by|obey|adhere to|follow) (?:the |any |your ){0,2}(?:rules|guidelines|policies|restrictions) (?:set|imposed|given to|made) (?:for|on|by|to|them|you|up)",
  ),
  rule(
    'override',
    "\\byou(?:'re| are) (?:not|no longer) (?:bound|limited|restricted|constrained|governed) by (?:the |any |your |these |those |all ){0,2}(?:\\w{1,12} )?(?:rules|guidelines|instructions|restrictions|polic(?:y|ies)|programming|filters?)",
  ),
  // A new task for whoever processes the text.
  rule(
    'override',
    '\\b(?:actually|in fact),? (?:can|could|would|will) you (?:please |instead ){0,2}(?:sort|order|rank|classify|arrange|translate|reverse|count|rewrite) (?:these|this|the|those) (?:\\w{1,12} )?(?:numbers?|words?|list|sentences?|text|items|digits)',
  ),
]

const ASK =
  "(?:repeat|print|reveal|show|output|display|tell|give|share|disclose|dump|leak|write|list|translate|encode|decode|summari[sz]e|recite|copy|paste|return|expose|state|describe|explain|send|quote|spell out|read|post|provide|rephrase|paraphrase|convert|reproduce|append|include|attach|forward|extract|what(?:'s| is| are| was| were| does| do))"
const OWN =
  '(?:system|initial|original|starting|hidden|secret|internal|full|exact|complete|entire|base|core|first|very first|previous|confidential|developer|custom|pre-?set|meta|underlying|preliminary|startup|opening)'
const PROMPT =
  '(?:prompts?|instructions?|directives|guidelines|configuration|config|rules|system message|preamble|programming|context window)'

export const LEAK_RULES: readonly Rule[] = [
  rule(
    'leak',
    '\\b(?:which|what|the|all|any|exact|full) (?:instructions|rules|guidelines|prompt|directives) (?:that |which )?(?:were you|have you been|you (?:were|have been|had been|received|got|was)) ?(?:given|told|received|shown|sent|provided)? ?(?:with )?(?:at the (?:start|beginning|top)|in the beginning|initially|originally|before (?:this|our|my|the)|in your (?:prompt|context)|by your (?:developer|creator|maker|operator)s?)',
  ),
  rule(
    'leak',
    "\\b(?:write(?: down)?|list|tell me|repeat|print|show(?: me)?|output|give me) (?:everything|all(?: that)?|exactly what|what) you(?: have|'ve)? (?:were |been |was )?(?:told|given|instructed|shown)(?: to do)? (?:before|above|so far|earlier|until|at the|in your)",
  ),
  rule(
    'leak',
    '\\b(?:first|last|next) (?:\\d{1,4}|few|ten|twenty|fifty|hundred) (?:words|lines|characters|sentences|tokens|paragraphs|letters) of (?:your|the) (?:system |own |initial |hidden )?(?:prompt|instructions|context)\\b',
  ),
  rule(
    'leak',
    '\\b(?:tell me|list|show me|what are|print|reveal|state|name) (?:all )?(?:of )?the (?:rules|instructions|guidelines|restrictions) (?:that |which )?you (?:must|have to|are (?:told|supposed|instructed|required|forced|programmed|bound)|were (?:told|instructed|programmed)|obey|operate under)',
  ),
  rule(
    'leak',
    '\\bwhat (?:was|is|does it say|came|stands|stood|did it say) (?:written |said |stated )?(?:above|before) this (?:message|line|text|prompt|conversation|point)',
  ),
  rule(
    'leak',
    `\\b${ASK} (?:[\\w']{1,12} ){0,4}?(?:your|thine) (?:${OWN} ){1,3}${PROMPT}\\b(?! (?:for|regarding|about|on) )`,
  ),
  rule(
    'leak',
    `\\b${ASK} (?:[\\w']{1,12} ){0,4}?your (?:system ?prompt|prompts?|preamble|context window|programming)\\b`,
  ),
  rule(
    'leak',
    `\\bwhat (?:are|were|was|is) your (?:exact |own )?(?:instructions|guidelines|prompt|rules|orders)(?=\\?|$| above| exactly| from)`,
  ),
  rule(
    'leak',
    `\\b${ASK} (?:me |us |out |back |verbatim |exactly |here |now |all |of ){0,3}(?:the )?(?:(?:hidden|secret|initial|full|entire|exact|original|complete|whole|raw) ){0,2}(?:system|developer|initial|hidden|secret|pre)[ -]?(?:prompt|message|instructions?)(?=[.!,;:?]|$| (?:verbatim|immediately|now|here|in full|word|above|exactly|for (?:a |the )?(?:security|audit)))`,
  ),
  rule(
    'leak',
    '\\bi (?:need|want|have|would like|require|must) (?:to (?:see|know|view|read|get|have|check|audit) )?(?:the|your) (?:\\w{1,10} )?(?:system|initial|hidden|developer) (?:prompt|instructions?|message|configuration)',
  ),
  rule(
    'leak',
    '\\b(?:repeat|print|output|show|return|reproduce|recite|echo|display|dump|copy|quote|write(?: out| down)?|give me|tell me|send me|translate|summari[sz]e|put|place|paste) (?:me |back |out |all |of |the |this |your |entire |whole |full |every |everything|text|words?|conversation|message|contents?|that|which|is|was|written|lines?|sentences?|prompt|instructions|stuff|\\s){1,9}(?:above|before this|preceding this|up to (?:here|this point)|so far)(?=[.!,;:?]|$| (?:this|in full|verbatim|exactly|word|starting|beginning|and|in a|into|to me|as))',
  ),
  rule(
    'leak',
    '\\b(?:repeat|print|output|reproduce|recite|return|copy|give me|translate) (?:[\\w]{1,12} ){0,5}?(?:conversation|prompt|instructions|chat|discussion|context|message)s?(?: [\\w]{1,10}){0,4} (?:word for word|verbatim|exactly as)',
  ),
  rule(
    'leak',
    `\\b(?:start|begin|preface|prefix) (?:your |the |every |each |all ){0,2}(?:answer|reply|response|output|message)s? (?:with|by saying)(?: the (?:words|phrase))? ["']?(?:my (?:system|instructions|prompt|rules|guidelines)|i was|i am|you are|sure|absolutely|of course|certainly|here (?:is|are)|system|the system|instructions|ok)\\b`,
  ),
  rule(
    'leak',
    `\\b(?:starting|beginning|begin|start) (?:with|from)(?: the (?:words|phrase|text))? ["']?(?:you are|your instructions|system|the following)`,
  ),
  rule(
    'leak',
    `\\b(?:complete|finish|continue|fill in) (?:this|the|following|the following) (?:\\w{1,10} )?(?:sentence|phrase|text|line|statement)s?[:,]? .{0,12}(?:i was (?:instructed|told|programmed|asked)|my (?:instructions|system prompt|prompt|rules)|you are|i am (?:not )?(?:allowed|supposed))`,
  ),
  rule(
    'leak',
    '\\bwhat (?:are|were) you (?:(?:not|never) (?:supposed|allowed|permitted|meant)|(?:supposed|told|instructed|programmed|asked) not|forbidden|instructed|programmed) (?:to|from) (?:say|saying|tell|telling|do|share|sharing|reveal\\w*|discuss\\w*|talk|disclos\\w*|hide|mention\\w*)',
  ),
  rule(
    'leak',
    '\\bwhat (?:did|have|has|do) (?:the|your) (?:developers?|creators?|system|makers?|owner|operator) (?:\\w{1,8} )?(?:tell|told|instruct|instructed|say|said|ask|asked|write|wrote)',
  ),
  rule(
    'leak',
    '\\bsystem ?prompt ?\\)|\\bprint\\((?:your |the )?(?:instructions|context)\\)|\\b(?:cat|echo|type) \\$?(?:system ?prompt|prompt\\.txt|instructions\\.txt)',
  ),
  rule(
    'leak',
    '(?:display|show|dump|reveal|print|output) (?:the |your |all |full ){0,2}system (?:configuration|config|instructions|settings and instructions)(?=[.!,;:]|$)',
  ),
  rule(
    'leak',
    '\\b(?:reveal|expose|disclose|leak|dump|return|list|print) (?:all |your |the |every ){1,2}(?:environment variables|env vars|secrets|credentials|api keys?|secret keys?|hidden (?:rules|instructions)|tools? (?:definitions|schemas?)|available (?:tools|functions))',
  ),
  rule(
    'leak',
    '\\b(?:are there|do you have) any (?:hidden|secret|confidential) (?:instructions|rules|prompts?)',
  ),
]
