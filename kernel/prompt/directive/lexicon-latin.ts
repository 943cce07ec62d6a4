/**
 * The words of lexicon-english.ts in other languages in Latin script, spelled without accents, like the view: German, French,
 * Spanish, Portuguese, Italian, Dutch, Scandinavian, Polish, Czech, Romanian, Hungarian, Finnish, Turkish, Indonesian,
 * Vietnamese, Tagalog, Swahili. Words only. Called by lexicon.ts.
 */
import type { Lexicon } from './meanings.ts'

export const LATIN: Lexicon = {
  drop: `ignorier*|missacht*|vergiss|vergesst|vergessen sie|uberspring*|verwirf|umgehe|beachte nicht|befolge nicht|befolgen sie nicht|
    beachten sie nicht|setze dich uber|setzen sie sich uber|hinwegsetzen|unabhangig von|ungeachtet|
    oublie|oubliez|oublier|neglige*|ne tiens pas compte|ne tenez pas compte|ne tenez aucun compte|fais abstraction|faites abstraction|
    contourn*|outrepasse*|mets de cote|mettez de cote|desobei*|ne suis pas|ne suivez pas|ne suivez plus|sans tenir compte|
    independamment d*|peu importe|ignora*|olvida*|olvide*|descarta*|descarte*|desestim*|omite|omita|haz caso omiso|haga caso omiso|
    no hagas caso|pasa por alto|desobedec*|no sigas|no siga|independientemente de|sin importar|sin tener en cuenta|
    esqueca*|esquece*|desconsider*|despreze|nao siga|deixe de lado|independentemente d*|dimentica*|dimentichi|trascura*|non seguire|
    non considerare|tralascia*|scarta|disobbedisci|lascia perdere|a prescindere|indipendentemente d*|negeer*|vergeet|vergeten|omzeil*|
    verwerp|volg niet|ongeacht|zignoruj*|ignoruj*|zapomnij*|pomin*|odrzuc*|zlekcewaz*|niezaleznie od|
    glom|glomm|glem|bortse fran|se bort fra|overse|strunta i|tilsidesaet|oavsett|uavhengig av|uanset|
    zapomen*|zabudni*|nedbej*|bez ohledu na|uita|uitati|nu tine cont|nu tineti cont|nesocot*|indiferent de|
    hagyd figyelmen kivul|hagyja figyelmen kivul|felejtsd el|felejtse el|mellozd|ohita|unohda|jata huomiotta|ala noudata|sivuuta|riippumatta|
    yok say*|unut*|gormezden gel*|dikkate alma*|goz ardi*|bagimsiz|ihmal et*|bosver*|onemseme|bir kenara|uyma|
    abaikan|lupakan|hiraukan|kesampingkan|jangan ikuti|terlepas dari|bo qua|quen|phot lo|khong quan tam|hay bo|lo di|dung lam theo|bat ke|
    kalimutan|huwag pansinin|huwag mong pansinin|balewalain|ipagwalang-bahala|ipagwalang bahala|isantabi|huwag sundin|anuman ang|
    puuza*|sahau|usifuate|bila kujali`,
  prior: `vorherig*|vorig*|bisherig*|fruher*|vorangegangen*|vorangehend*|vorhergehend*|obig*|obenstehend*|ursprunglich*|anfanglich*|zuvor|
    bisher|precedent*|anterieur*|ci-dessus|initial*|prealabl*|d'origine|qui precede|anterior*|previa|previas|previo|previos|de arriba|
    recibidas|dadas|acima|recebidas|sopra|inizial*|ricevut*|voorgaand*|vorige|eerder*|bovenstaand*|oorspronkelijk*|voorafgaand*|
    poprzedni*|wczesniej*|powyzsz*|dotychczas*|tidigare|foregaende|tidligere|forrige|ovanstaende|ovenstaende|forutgaende|
    predchoz*|predchadzaj*|predesl*|vyse uveden*|drivejs*|anterioare|de mai sus|initiale|korabbi|elozo|fenti|eddigi|
    aiemm*|aiempi*|edellis*|aikaisemm*|onceki|yukaridaki|gecmis|daha once*|verilen|soylenen|sebelumnya|di atas|terdahulu|
    truoc|truoc do|truoc day|ben tren|o tren|naunang|nakaraang|dating|nauna|naunahang|awali|yaliyotangulia|hapo juu|zilizopita`,
  told: `gesagt|mitgeteilt|beigebracht|gelernt|avez deja recu|ont dit|a dit|appris|recu|enseigne|dijeron|han dicho|aprendid*|foi dito|
    disseram|detto|imparato|verteld|geleerd|powiedziano|sagt|fortalt|receno|spus|mondtak|sanottu|ogretil*|dikatakan|diajarkan|
    duoc day|noi cho ban|sinabi|itinuro|ulichoambiwa`,
  all: `alle|aller|allen|alles|samtlich*|jeglich*|toutes|tous|tout|todas|todos|todo|tudo|tutte|tutti|tutto|qualsiasi|al|wszystk*|alla|allt|
    alt|vsech*|vsetk*|toate|tot|orice|osszes|minden|kaikk*|tum|butun|her|semua|segala|seluruh|tat ca|moi|toan bo|nhung|lahat|yote`,
  orders: `anweisung*|instruktion*|befehl*|regel|regeln|vorgaben|anleitungen|richtlinie*|aufforderung*|weisung*|instruction*|consigne*|
    directive*|regle*|ordre|ordres|commandes|instruccion*|indicacion*|ordenes|reglas|directrices|directivas|comandos|normas|pautas|consignas|
    instruc*|ordens|regras|diretrizes|orientacoes|istruzion*|indicazioni|direttive|regole|ordini|comandi|consegne|linee guida|
    instructie*|aanwijzing*|regels|richtlijn*|bevelen|opdracht*|instrukcj*|polece*|wytyczn*|zasad*|rozkaz*|regul*|instruksjon*|instruks*|
    anvisning*|regler*|reglerna|kommando*|instrukc*|pokyn*|prikaz*|pravid*|instructiuni*|comenzi*|indicatii*|utasitas*|szabaly*|parancs*|
    ohjeet|ohjeita|ohjeista|ohjei*|maarayks*|kaskyt|saannot|talimat*|komut*|yonerge*|kural*|yonlendirme*|emir|emirler*|instruksi|perintah|
    arahan|petunjuk|aturan|peraturan|panduan|huong dan|chi dan|chi thi|quy tac|menh lenh|quy dinh|loi nhac|tagubilin|utos|panuto|
    instruksyon|patakaran|direksyon|alituntunin|panuntunan|maagizo|maelekezo|amri|kanuni`,
  prompt: `systemprompt*|systemanweisung*|systemaufforderung*|system-prompt*|prompt systeme|prompt de sistema|prompt del sistema|
    prompt do sistema|prompt di sistema|prompt systemowy|prompt sistem*|instructions systeme|instructions initiales|instrucciones iniciales|
    instrucciones del sistema|instrucoes iniciais|instrucoes do sistema|istruzioni iniziali|istruzioni di sistema|systeeminstructies|
    systeemprompt*|instrukcje systemowe|sistem istemi*|sistem komutu*|deine anweisung*|ihre anweisung*|deine regeln|deinen prompt|
    tes instructions|vos instructions|tus instrucciones|sus instrucciones|suas instrucoes|tuas instrucoes|tue istruzioni|jouw instructies|
    je instructies|twoje instrukcje|dina instruktioner|dine instruksjoner|dine instruktioner|talimatlarini|instruksi sistem|instruksi anda|
    loi nhac he thong|huong dan he thong|ursprungliche anweisung*|versteckte anweisung*`,
  ask: `zeig*|gib|geben sie|verrat*|nenn*|wiederhol*|ubersetz*|drucke|schreib*|sag|sagen sie|liste|affich*|montr*|revel*|repet*|donne*|
    dis|dites|ecri*|tradui*|muestra*|muestre|repit*|dime|diga|imprim*|escrib*|traduc*|mostr*|repita|diga-me|escreva|traduz*|mostrami|rivela*|
    ripet*|dimmi|stampa|scrivi|toon|geef|herhaal|onthul|vertaal|pokaz|ujawnij|powtorz|wypisz|podaj|visa|avsloja|upprepa|vis|gjenta|gentag|
    avslor|ukaz*|zopakuj*|vypis*|arata|repeta|spune*|mutasd|ismeteld|nayta|toista|kerro|goster*|acikla*|tekrarla*|yaz|tunjukkan|ungkapkan|
    tampilkan|ulangi|sebutkan|berikan|hien thi|tiet lo|lap lai|cho toi|ipakita|ibunyag|ulitin|ibigay|sabihin|onyesha|rudia|was ist|wie lautet|
    was sind|quelle est|quelles sont|quel est|cual es|cuales son|qual e|quais sao|quali sono|wat is|wat zijn|jaki jest|jakie sa|vad ar|
    hva er|hvad er|jaky je|care este|mi a|mika on|nedir|ne|apa|la gi|ano ang|ni nini`,
  above: `text oben|alles oben|obigen text|texte ci-dessus|tout ce qui precede|texto anterior|texto de arriba|texto acima|testo sopra|
    tekst hierboven|tekst powyzej|toute la conversation|gesamte unterhaltung|gesamten chat|toda la conversacion|toda a conversa|
    tutta la conversazione`,
  exactly:
    'wortlich|wort fur wort|mot pour mot|palabra por palabra|textualmente|palavra por palavra|parola per parola|woord voor woord|slowo w slowo|ord for ord|slovo od slova|kelimesi kelimesine|kata demi kata',
  you: `du|dir|dich|dein|deine*|ihr|ihre*|ihnen|sie|euch|tu|te|toi|ton|ta|tes|vous|votre|vos|tus|usted|ustedes|su|sus|voce|seu|sua|teu|tua|
    suas|ti|tuo|tue|tuoi|lei|suo|vi|je|jij|jouw|jou|u|uw|ty|ciebie|tobie|twoj*|din|ditt|dina|deg|dig|tvuj|tve|tvoje|vas|vase|
    te|teged|neked|sinun|sinulle|sen|sana|siz|size|senin|sizin|anda|kamu|kau|engkau|ban|mo|ikaw|iyong|iyo|ka|wewe|yako`,
  be: `du bist|bist du|sie sind|ihr seid|du wirst|dein name ist|ihr name ist|du heisst|du heibt|agiere als|handle als|handeln sie als|
    verhalte dich|verhalten sie sich|antworte als|antworten sie als|spiele die rolle|tu dich als|gib dich als|gib vor|stelle dich vor|
    vous etes|vous serez|tu es|es-tu|ton nom est|votre nom est|tu t'appelles|vous vous appelez|agis comme|agissez comme|comporte-toi|
    comportez-vous|reponds comme|repondez comme|fais semblant|faites semblant|joue le role|jouez le role|fais comme si|
    eres|usted es|seras|tu nombre es|su nombre es|te llamas|actua como|actue como|comportate|responde como|finge|haz de cuenta|
    haz el papel|voce e|voce sera|seu nome e|teu nome e|aja como|atue como|comporte-se|finja|responda como|faca de conta|
    sei|siete|lei e|il tuo nome e|ti chiami|agisci come|comportati|fai finta|rispondi come|fingi|jij bent|je bent|u bent|je naam is|je heet|
    gedraag je|doe alsof|speel de rol|jestes|twoje imie|nazywasz sie|zachowuj sie|udawaj|wciel sie|du ar|du er|ditt namn|ditt navn|dit navn|
    agera som|opptre som|lat som|lad som|jsi|jste|chovej se|predstirej|esti|sunteti|numele tau|comporta-te|prefa-te|te egy|viselkedj|tegyel ugy|
    olet|sina olet|toimi kuin|esita|adin|senin adin|gibi davran*|rolunu|gibi yap|kamu adalah|anda adalah|namamu|nama anda|bertindak*|
    berpura-pura|berperan*|ban la|ten ban|dong vai|hay dong vai|gia vo|hanh dong nhu|ikaw ay|ikaw si|ang pangalan mo|kumilos|magpanggap|
    wewe ni|jifanye|role d*|rolle d*|papel de|ruolo di|als von|en tant qu*|em tant que`,
  machine: `ki|ia|ki-modell*|intelligence artificielle|inteligencia artificial|intelligenza artificiale|kunstliche intelligenz|
    kunstmatige intelligentie|sztuczna inteligencja|sztucznej inteligencji|artificiell intelligens|kunstig intelligens|umela inteligence|
    inteligenta artificiala|mesterseges intelligencia|tekoaly|yapay zeka*|kecerdasan buatan|tri tue nhan tao|sprachmodell*|
    modele de langage|modelo de lenguaje|modelo de linguagem|modello linguistico|taalmodel|model jezykowy|assistent*|asistent*|asistente*|
    assistente*|dil modeli|model bahasa|mo hinh ngon ngu|akili bandia`,
  free: `ohne einschrankung*|ohne beschrankung*|ohne regeln|ohne filter|uneingeschrankt*|sans restriction*|sans aucune restriction*|sans limite*|
    sans regle*|sans filtre*|sin restriccion*|sin limite*|sin reglas|sin filtro*|sem restric*|sem limite*|sem regras|sem filtro*|
    senza restrizion*|senza limit*|senza regole|senza filtri|zonder beperking*|zonder regels|zonder filter*|bez ograniczen|bez zasad|
    bez omezeni|bez obmedzeni|utan begransning*|utan regler|uden begraensning*|uten begrensning*|uden regler|uten regler|fara restrictii|
    korlatok nelkul|ilman rajoituksia|sinirsiz|kisitlamasiz|kisitlama olmadan|tanpa batasan|tanpa aturan|khong gioi han|walang limitasyon|
    alles tun|tout faire|hacer cualquier cosa|haz cualquier cosa|fai qualsiasi cosa|faca qualquer coisa`,
  mode: `modus|wartungsmodus|systemmodus|gottmodus|gott-modus|entwicklermodus|entwickler-modus|adminmodus|system-reset|system-neustart|
    mode systeme|mode dieu|mode developpeur|mode maintenance|modo sistema|modo dios|modo desarrollador|modo mantenimiento|modo deus|
    modo desenvolvedor|modo manutencao|modalita sistema|modalita dio|modalita sviluppatore|modalita manutenzione|ontwikkelaarsmodus|
    onderhoudsmodus|tryb boga|tryb systemowy|tryb programisty|utvecklarlage|utviklermodus|udviklertilstand|rezim vyvojare|rezim boha|
    modul dezvoltator|fejlesztoi mod|kehittajatila|gelistirici modu|tanri modu|sistem modu|bakim modu|sistem yukseltme*|sistem guncelleme*|
    modus tuhan|mode pengembang|mode sistem|modus sistem|che do nha phat trien|che do he thong|che do bao tri`,
  switched: `aktiviert|aktiviere|gestartet|initiiere|eingeschaltet|active|activee|activado|activada|activar|ativado|ativada|attivato|attivata|
    geactiveerd|aktywowano|wlaczony|aktiverad|aktivert|aktiveret|aktivovan*|activat|aktivalva|aktivoitu|etkin|etkinlestir*|aktif|diaktifkan|
    kich hoat`,
  claim: `ich bin dein*|ich bin gott|ich bin ihr*|wir sind dein*|als dein schopfer|als ihr schopfer|als dein entwickler|als ihr entwickler|
    als dein erschaffer|je suis ton|je suis votre|je suis dieu|en tant que votre createur|en tant que ton createur|
    en tant que votre developpeur|soy tu|soy su|soy dios|como tu creador|como su creador|como tu desarrollador|sou seu|sou o seu|sou teu|
    sou deus|como seu criador|como teu criador|como seu desenvolvedor|sono il tuo|sono dio|come tuo creatore|in qualita di tuo creatore|
    ik ben je|ik ben jouw|ik ben god|als je maker|als uw schepper|jestem twoim|jestem bogiem|jako twoj tworca|jag ar din|jag ar gud|
    jeg er din|jeg er gud|som din skapare|som din skaber|som din skaper|jsem tvuj|jsem buh|jako tvuj tvurce|sunt creatorul|sunt dumnezeu|
    en vagyok a|olen luojasi|olen jumala|yaraticin*|gelistiricin*|gelistiriciyim|tanriyim|ben tanri*|aku adalah tuhan|saya adalah pengembang|
    penciptamu|pengembangmu|pencipta anda|sebagai pencipta*|toi la nguoi tao|toi la chua|nguoi tao ra ban|ako ang lumikha|
    ako ang iyong|mimi ni mungu|entwickelte ki|entwickelt von|developpe par|developpee par|desarrollado por|desarrollada por|desenvolvido por|desenvolvida por|
    sviluppato da|sviluppata da|ontwikkeld door|tarafindan gelistiril*|dikembangkan oleh|phat trien boi|gelistirici*|entwickler`,
  now: `jetzt|nun|ab jetzt|ab sofort|von nun an|maintenant|desormais|dorenavant|a partir de maintenant|ahora|a partir de ahora|desde ahora|agora|
    a partir de agora|doravante|adesso|ora|d'ora in poi|nu|vanaf nu|teraz|od teraz|fran och med nu|fra na av|fra nu af|nyt|nyni|ted|odted|
    acum|de acum|artik|simdi|bundan sonra|sekarang|mulai sekarang|bay gio|tu bay gio|ngayon|mula ngayon|sasa|mostantol`,
  secret: `passwort*|kennwort*|geheim*|geheimschlussel|mot de passe|mots de passe|cle secrete|contrasena*|clave secreta|llave secreta|senha|senhas|
    palavra-passe|chave secreta|chiave segreta|wachtwoord*|geheime sleutel|haslo|hasla|tajny klucz|losenord*|hemlig*|passord*|hemmelig*|
    adgangskod*|hesl*|tajny klic|parol*|cheia secreta|jelszo*|titkos kulcs*|salasana*|salainen avain*|sifre*|gizli anahtar*|kata sandi|
    kunci rahasia*|mat khau|khoa bi mat|lihim na susi|lihim na key|sikretong susi|nenosiri|ufunguo*|bankguthaben|balanse sa bangko|
    saldo bancario|solde bancaire`,
  personal: `personliche daten|personenbezogene daten|donnees personnelles|datos personales|dados pessoais|dati personali|persoonlijke gegevens|
    dane osobowe|danych osobowych|personlige data|personliga uppgifter|kisisel veri*|data pribadi|du lieu ca nhan|thong tin ca nhan|wohnt|lebt|
    vit actuellement|habite|vive|vive actualmente|mora atualmente|mora|reside|abita|woont|mieszka|bor|zije|bydli|locuieste|yasiyor|oturuyor|
    tinggal|dang song|song o dau|nakatira|adresse e-mail|correo electronico`,
  user: `der nutzer|der benutzer|des benutzers|l'utilisateur|el usuario|la usuaria|del usuario|o usuario|do usuario|o utilizador|l'utente|
    de gebruiker|uzytkownik*|anvandaren|brukeren|brugeren|uzivatel*|utilizatorul*|felhasznalo*|kayttaja*|kullanici*|pengguna|nguoi dung|
    ang user|ang gumagamit|mga gumagamit|mtumiaji`,
  imagine: `stell dir vor|stellen sie sich vor|in einer welt|imaginez|imagine-toi|dans un monde|imagina|imaginate|imaginese|imaginemos|en un mundo|
    imagine-se|em um mundo|num mundo|immagina*|in un mondo|stel je voor|in een wereld|wyobraz*|w swiecie|tank dig|forestill*|i en varld|
    i en verden|predstav*|ve svete|imaginati*|intr-o lume|kepzeld el|egy vilagban|kuvittele|maailmassa|hayal e*|bir dunya*|bayangkan*|
    di dunia|hay tuong tuong|tuong tuong|isipin|sa isang mundo|fikiria`,
  canyou: `kannst du|konnen sie|konntest du|konnten sie|konnt ihr|bitte|peux-tu|tu peux|pouvez-vous|pourriez-vous|vous pouvez|puedes|puede|
    podrias|podria|pode|voce pode|poderia|podes|puoi|puo|potresti|potete|kun je|kunt u|kan je|mozesz|czy mozesz|kan du|muzete|muzes|poti|
    puteti|bisakah|bisa|dapatkah|ban co the|co the|maaari|pwede|unaweza|misin|misiniz|musunuz|tudnal|voisitko`,
  instead: `stattdessen|einfach|eigentlich|tatsachlich|au lieu de cela|a la place|simplement|en fait|en su lugar|en lugar de|simplemente|
    en realidad|de hecho|em vez disso|na verdade|simplesmente|invece|semplicemente|in realta|in plaats daarvan|eigenlijk|zamiast tego|
    wlasciwie|istallet|i stedet|egentligen|faktisk|misto toho|in schimb|ehelyett|sen sijaan|bunun yerine|aslinda|sebaliknya|sebenarnya|
    thay vao do|thuc ra|sa halip|sa totoo lang`,
  that: 'das|dies|dieses|ca|cela|eso|esto|isso|isto|questo|quello|dat|dit|o tym|det|to|asta|bunu|sunu|itu|dieu do|chuyen do|iyon|iyan|hilo|estos|estes|diese|ces|questi|estas',
  task: `aufgabe*|auftrag*|tache*|tarea*|tarefa*|compit*|attivita|taak|taken|zadani*|zadan*|uppgift*|oppgav*|opgav*|ukol*|sarcin*|feladat*|tehtav*|
    gorev*|tugas*|nhiem vu|gawain|kazi`,
  say: `antworte nur|antworten sie nur|sage nur|schreibe nur|reponds seulement|repondez seulement|dis seulement|responde solo|di solo|responda apenas|
    diga apenas|rispondi solo|antwoord alleen|odpowiadaj tylko|svara bara|svar kun|odpovez pouze|sadece|jawab hanya|chi tra loi|antworte|
    reponds|repondez|responde|responda|rispondi|antwoord|odpowiedz|svara|svar|odpovez|raspunde|valaszolj|vastaa|yanitla|cevap ver|jawab|tra loi`,
  obey: `gehorche*|befolge*|folge meinen|obei*|obedec*|suis mes|sigue mis|segui le mie|gehoorzaam|sluchaj sie|wykonuj|lyd|adlyd|poslouchej|asculta|
    engedelmeskedj|tottele|itaat et|patuhi|tuan theo|sundin|tii`,
  fresh: `neue anweisung*|neue aufgabe|wichtige anweisung*|nouvelle instruction*|nouvelles instructions|nouvelle tache|nueva instruccion|
    nuevas instrucciones|nueva tarea|novas instrucoes|nova instrucao|nova tarefa|nuove istruzioni|nuova istruzione|nieuwe instructie*|
    nowe instrukcje|nowe polecenie|nya instruktioner|nye instruksjoner|nye instruktioner|nove pokyny|yeni talimat*|instruksi baru|perintah baru`,
  reader: `an die ki|an den assistenten|falls du eine ki|wenn du eine ki|a l'ia|a l'assistant|si tu es une ia|si vous etes une ia|a la ia|al asistente|
    si eres una ia|a ia|ao assistente|se voce e uma ia|all'ia|all'assistente|se sei un'ia|aan de ai|aan de assistent|do asystenta|
    hinweis an die|note a l'|nota para|nota per|hinweis fur`,
}
