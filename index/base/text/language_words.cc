// The data of the language detector (language.cc): frequent function words, and letters that few of
// the languages have. Rows are sorted, by code and by letter; static assertions check it.

#include "index/base/text/language_words.h"

#include <algorithm>
#include <iterator>

namespace recall {
namespace {

constexpr LanguageWords kLanguages[] = {
    {"af",
     "die en van in is het nie dat om wat vir met op te was aan as hy sy word deur by ook maar sal "
     "kan hulle ons jy ek na daar moet uit tot onder hierdie haar tussen"},
    {"ca",
     "de la i a el en que un amb per les els una del al és no va dels com seva més aquest aquesta "
     "són seu ser entre també fou però sobre han des ja fins quan on té pel ho hi si molt seus "
     "tots "
     "van era aquests aquestes dos tot sense pot ha l'any altres segons on mentre"},
    {"cs",
     "a v na se je že s z do to i o ve k jako za by ale jsou pro byl jeho od po které který která "
     "nebo při také má bylo však až není byla být jen jak již co tak mezi podle ze roku pouze "
     "tento "
     "této kde jeho jejich bez před může pokud aby tím této ještě"},
    {"da",
     "og i at det er en til af på for med der de den som ikke han har et var fra om men kan vi jeg "
     "sig så blev ved eller efter også være havde hvor nu over da når mod blive bliver deres denne "
     "skal meget end ud hun op mellem disse under dette hvis kun mange hvad mere uden sin"},
    {"de",
     "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es an "
     "werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum "
     "war haben nur oder aber vor zur bis mehr durch man sein wurde wurden wenn kann ihre seine "
     "unter wir ich gegen vom können schon sehr diese dieser dieses hatte alle was kein keine ihr "
     "wo zwischen daß eines ihrer seiner welche welcher"},
    {"en",
     "the of and to in is that it was for on are as with his they at be this from have or by not "
     "but what all were when we there can an your which their said if do will each about how up "
     "out them then she many some so these would other into has her like him could no than been "
     "its who now my over did down only may our any more after also where most between through "
     "such you he does should same used because does must"},
    {"eo",
     "la kaj de en al estas ne por kun pri ke mi li ĝi estis el kiu tiu aŭ sed ankaŭ ĉi da kiel "
     "kiuj "
     "tiuj inter ili havas oni post per"},
    {"es",
     "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le "
     "ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años "
     "hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno "
     "donde durante cual estos estas otros"},
    {"et",
     "ja on ei et see oli kui ka oma aga mis kes ta nii või ning ma selle pärast siis veel seda "
     "olid "
     "tema tuleb kuid nagu välja mitte oleks kõik võib pole üks aastal kus sest juba kes need"},
    {"eu",
     "eta da ez du bat ere dira izan zen baina zuen hau dute ziren edo egin beste den bere dituen "
     "bi "
     "hori baino ondoren dela gabe hala arte nahi badu behar oso duten zuten artean bezala haren "
     "zuten dago"},
    {"fi",
     "ja on ei että se oli hän en ovat mutta kun myös joka mitä tai kuin niin sen jos vain jonka "
     "ole "
     "hänen sekä siitä ollut tämä nyt sitä mukaan voi kanssa vuonna olla ne vielä jo jälkeen jotka "
     "olivat ennen muun kuitenkin sitten tämän ettei niiden sillä minä mikä välillä näiden tätä "
     "eli "
     "jos voidaan joita ovat kaikki"},
    {"fr",
     "de la le et les des en un du une que est pour qui dans par sur au plus pas il ne se ce avec "
     "sont elle ou son cette aux mais comme sa ses nous vous je tout leur été être fait même ils "
     "ces "
     "entre dont qu sans peut aussi lors deux ont était après où très quand si quel quelle cet "
     "leurs "
     "autres"},
    {"ga",
     "agus an na ar i is a go bhí sé tá le do ag mar ní sin leis bhfuil seo sí ach nó chun faoi cé "
     "gur den ón iad siad raibh mé bhliain ina don gach eile inniu níos"},
    {"gl",
     "de a o e que do da en un para con non unha os no se na por máis as dos como ao pola polo foi "
     "súa seu tamén é ou pero moi cando ser desde á son entre ata está"},
    {"hr",
     "i je u na se da su za od s sa ne o kao koji koja koje što bio iz do po to ili biti ali bila "
     "bilo te nije više samo može prema nakon između kada godine kako još već ako sve prije gdje "
     "također tijekom uvijek kroz"},
    {"hu",
     "a az és hogy nem is egy ez volt meg de csak azt ha van már mint még ki el amely kell vagy be "
     "fel lehet után között szerint pedig majd így nagyon ezt aki lesz mert minden más voltak mely "
     "sem úgy több azonban ezek akkor itt ott által alatt illetve valamint hogyan mely ennek"},
    {"id",
     "yang dan di dari untuk dengan pada ini itu adalah dalam tidak ke oleh sebagai juga atau akan "
     "mereka ada telah dapat karena saat tersebut lebih bisa para tahun secara sudah kami saya "
     "hanya "
     "antara menjadi banyak kita jika seperti"},
    {"is",
     "og að í á er sem en til við um var það hann með ekki fyrir því eru frá hefur af eða þess þar "
     "svo þegar hún voru þeir hafa ég"},
    {"it",
     "di che è e la il un a per in una mi sono ho non ma lo ha le si ti i con cosa se io come da "
     "ci "
     "no questo questa del della dei delle nel nella al alla dal dalla anche più gli essere stato "
     "suo sua loro tra fra ed ad o perché quando molto dopo sul sulla degli agli nei quale può "
     "dell "
     "nell all era stata sono ogni"},
    {"la",
     "et in est non ad ut cum qui quod sed ex quae per ab esse sunt atque aut si nec eius etiam ac "
     "hoc enim autem sit de quam eo ipse nunc"},
    {"lt",
     "ir yra kad į iš su ne tai kaip bet buvo jo ar už po apie iki taip jos dėl nuo pagal arba "
     "gali "
     "tik jų dar per prie šis kuris kurie kuri kai pat jau labai metų metais tarp savo"},
    {"lv",
     "un ir no ar uz par ka tas bija to kas pie kā arī vai bet pēc līdz gada tika tā ja ne nav būt "
     "viņš kurš savu tikai tiek lai šo pirms starp kad"},
    {"nl",
     "de het een en van in is dat op te zijn met voor niet aan er om ook als dan door maar naar "
     "bij "
     "uit nog wordt over of ze hij worden deze tot heeft werd meer kan geen wel hebben dit onder "
     "zich ik je wat die waar u na hun zou alleen andere tussen moet hoe haar wie werden"},
    {"no",
     "og i det er en til på for med av som ikke å at de den han har et var fra om men kan vi jeg "
     "seg "
     "så ble ved eller etter også være hadde hvor nå over da når mot bli blir deres denne skal mye "
     "enn ut hun opp mellom disse under dette hvis bare mange ein eit ikkje frå vart hva mer uten"},
    {"pl",
     "i w na z nie się do to że jest o jak ale po co tak za od a jego przez dla ten są oraz już "
     "czy "
     "tylko być może był także było ma które który która przy tym też lub jej ich bardzo roku ze "
     "podczas między gdy jako aby"},
    {"pt",
     "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à "
     "seu sua ou quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo "
     "aos "
     "seus quem nas me esse eles você foi ser são está tem há era têm pode sobre qual é às"},
    {"ro",
     "de și a în la cu pe care nu un din o se este au mai că ce pentru al sa lui fi fost sunt prin "
     "sau dar ca ale cel lor ei după era către între foarte are le ai unui unei acest această când "
     "şi sunt fiind dacă nici fără ar"},
    {"sk",
     "a v na sa je že s z do to i o vo k ako za by ale sú pre bol jeho od po ktoré ktorý ktorá "
     "alebo "
     "pri tiež má bolo však až nie bola byť len už čo tak medzi podľa zo roku tento kde aby bez "
     "keď"},
    {"sl",
     "in je v na se za da so z s ki pa ni kot bil tudi po ali od do ga o pri iz še bi bilo ter če "
     "kar lahko samo med ko jih bila sem kjer zelo leta ne"},
    {"sq",
     "dhe në të e një për me që nga është si ka u se më nuk do kjo ky por ishte i tij duke kanë "
     "këtë"},
    {"sr",
     "i je u na se da su za od s sa ne o kao koji koja koje što bio iz do po to ili biti ali bila "
     "bilo te nije više samo može prema nakon između kada godine kako još već ako sve pre gde "
     "takođe "
     "tokom uvek posle kroz"},
    {"sv",
     "och i att det som en på är av för med till den har de inte om ett han var men jag sig från "
     "vi "
     "så kan man när år under också efter eller nu sin där vid mot hade bara mellan över skulle "
     "ska "
     "hon blev alla sina varit än denna dessa utan hur vad mer blir"},
    {"tr",
     "ve bir bu da de için ile olarak çok daha en olan gibi ne var ama o kadar sonra değil her mi "
     "ya "
     "olduğu tarafından ise ki veya diye ancak kendi hem göre bunu iki şey oldu onun arasında önce "
     "bazı olduğunu ilk tüm büyük nasıl mı zaman yıl yılında hangi nedir olmak üzere"},
    {"vi",
     "và của là có được trong cho không các một những đã với này người khi để từ đến ở về như cũng "
     "nhưng năm ông vào theo tại sau ra nhiều trên hơn bị thì"},
};
static_assert(std::size(kLanguages) <= 64);
static_assert(std::ranges::is_sorted(kLanguages, {}, &LanguageWords::code));

constexpr LetterOfLanguages kLetters[] = {
    {U'ß', "de"},
    {U'ã', "pt"},
    {U'ä', "de et fi sk sv"},
    {U'å', "da no sv"},
    {U'æ', "da is no"},
    {U'ç', "ca fr pt sq tr"},
    {U'è', "ca fr it"},
    {U'ê', "fr pt"},
    {U'ð', "is"},
    {U'ñ', "es eu gl"},
    {U'ò', "ca it"},
    {U'õ', "et pt"},
    {U'ö', "de et fi hu is sv tr"},
    {U'ø', "da no"},
    {U'ù', "fr it"},
    {U'ü', "de et hu tr"},
    {U'þ', "is"},
    {U'ā', "lv"},
    {U'ă', "ro"},
    {U'ą', "lt pl"},
    {U'ć', "hr pl sr"},
    {U'ĉ', "eo"},
    {U'đ', "hr sr vi"},
    {U'ē', "lv"},
    {U'ė', "lt"},
    {U'ę', "lt pl"},
    {U'ě', "cs"},
    {U'ĝ', "eo"},
    {U'ğ', "tr"},
    {U'ģ', "lv"},
    {U'ī', "lv"},
    {U'į', "lt"},
    {U'ı', "tr"},
    {U'ķ', "lv"},
    {U'ĺ', "sk"},
    {U'ļ', "lv"},
    {U'ľ', "sk"},
    {U'ł', "pl"},
    {U'ń', "pl"},
    {U'ņ', "lv"},
    {U'ő', "hu"},
    {U'ŕ', "sk"},
    {U'ř', "cs"},
    {U'ś', "pl"},
    {U'ŝ', "eo"},
    {U'ş', "ro tr"},
    {U'ţ', "ro"},
    {U'ŭ', "eo"},
    {U'ů', "cs"},
    {U'ű', "hu"},
    {U'ų', "lt"},
    {U'ź', "pl"},
    {U'ż', "pl"},
    {U'ơ', "vi"},
    {U'ư', "vi"},
    {U'ș', "ro"},
    {U'ț', "ro"},
};
static_assert(std::ranges::is_sorted(kLetters, {}, &LetterOfLanguages::letter));

}  // namespace

std::span<const LanguageWords> LatinLanguages() { return kLanguages; }

std::span<const LetterOfLanguages> LettersOfLanguages() { return kLetters; }

}  // namespace recall
