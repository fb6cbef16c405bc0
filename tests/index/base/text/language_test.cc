#include "index/base/text/language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "index/base/text/language_words.h"

namespace recall {
namespace {

struct Sample {
  std::string_view code;
  std::string_view text;
};

constexpr Sample kSamples[] = {
    {"ca",
     "El gos no va voler sortir de la casa perquè plovia molt, però els nens van anar amb una "
     "capsa vermella fins al riu i després van tornar amb aquesta pedra."},
    {"cs",
     "Pes nechtěl jít z domu, protože pršelo, ale děti se vydaly k řece a potom se vrátily s "
     "kamenem, který byl větší než jejich ruce."},
    {"da",
     "Hunden ville ikke ud af huset, fordi det regnede, men børnene gik ned til åen og kom "
     "hjem med en sten, som var større end deres hænder."},
    {"de",
     "Der Hund wollte nicht aus dem Haus, weil es regnete, aber die Kinder sind mit einer "
     "roten Kiste zum Fluss gegangen und haben einen Stein gefunden."},
    {"en",
     "The dog did not want to leave the house because it was raining, but the children went "
     "to the river with a red box and came back with this stone."},
    {"es",
     "El perro no quería salir de la casa porque llovía mucho, pero los niños fueron con una "
     "caja roja hasta el río y después volvieron con esta piedra."},
    {"eu",
     "Txakurrak ez zuen etxetik irten nahi izan, euria ari zuen eta, baina haurrak ibaira "
     "joan ziren eta harri bat ekarri zuten, oso handia zen."},
    {"fi",
     "Koira ei halunnut lähteä talosta, koska satoi, mutta lapset menivät joelle ja toivat "
     "kiven, joka oli suurempi kuin heidän kätensä, vaikka se ei ollut raskas."},
    {"fr",
     "Le chien ne voulait pas sortir de la maison parce qu'il pleuvait, mais les enfants sont "
     "allés avec une boîte rouge à la rivière et ont trouvé cette pierre."},
    {"ga",
     "Ní raibh an madra ag iarraidh dul amach as an teach mar bhí sé ag cur báistí, ach chuaigh "
     "na páistí go dtí an abhainn agus fuair siad cloch leis an uisce."},
    {"hr",
     "Pas nije htio izaći iz kuće jer je padala kiša, ali su djeca otišla do rijeke i prije "
     "nego što se vratila našla kamen koji je bio veći od svih."},
    {"hu",
     "A kutya nem akart kimenni a házból, mert esett az eső, de a gyerekek egy piros dobozzal "
     "lementek a folyóhoz, és találtak egy követ, amely nagyon nehéz volt."},
    {"id",
     "Anjing itu tidak mau keluar dari rumah karena hujan, tetapi anak-anak pergi ke sungai "
     "dengan kotak merah dan pulang dengan batu yang lebih besar dari tangan mereka."},
    {"it",
     "Il cane non voleva uscire di casa perché pioveva, ma i bambini sono andati al fiume con "
     "una scatola rossa e hanno trovato questa pietra che era più grande della mano."},
    {"lt",
     "Šuo nenorėjo eiti iš namų, nes lijo, bet vaikai su raudona dėže nuėjo prie upės ir po to "
     "parnešė akmenį, kuris buvo didesnis už jų rankas."},
    {"nl",
     "De hond wilde niet uit het huis omdat het regende, maar de kinderen zijn met een rode "
     "doos naar de rivier gegaan en hebben daar een steen gevonden."},
    {"no",
     "Hunden ville ikke ut av huset fordi det regnet, men barna gikk ned til elva og kom hjem "
     "med en stein som var større enn hendene deres, og de sa hva de hadde sett."},
    {"pl",
     "Pies nie chciał wyjść z domu, ponieważ padał deszcz, ale dzieci poszły nad rzekę i "
     "znalazły kamień, który był większy niż ich ręce, i przyniosły go do domu."},
    {"pt",
     "O cão não queria sair de casa porque chovia muito, mas as crianças foram com uma caixa "
     "vermelha até ao rio e depois voltaram com esta pedra, que era muito pesada."},
    {"ro",
     "Câinele nu a vrut să iasă din casă pentru că ploua, dar copiii s-au dus la râu cu o cutie "
     "roșie și au găsit o piatră care era mai mare decât mâinile lor."},
    {"sv",
     "Hunden ville inte gå ut ur huset eftersom det regnade, men barnen gick ner till ån med "
     "en röd låda och kom hem med en sten som var större än deras händer."},
    {"tr",
     "Yağmur yağdığı için köpek evden çıkmak istemedi, ama çocuklar kırmızı bir kutu ile "
     "nehre gittiler ve sonra ellerinden daha büyük bir taş buldular."},
    {"vi",
     "Con chó không muốn ra khỏi nhà vì trời mưa, nhưng những đứa trẻ đã đi đến sông với một "
     "cái hộp màu đỏ và tìm được hòn đá này."},
    {"ru", "Собака не хотела выходить из дома, потому что шёл дождь, но дети пошли к реке."},
    {"uk", "Собака не хотіла виходити з дому, бо йшов дощ, але діти пішли до річки."},
    {"el", "Ο σκύλος δεν ήθελε να βγει από το σπίτι επειδή έβρεχε."},
    {"he", "הכלב לא רצה לצאת מהבית כי ירד גשם, אבל הילדים הלכו אל הנהר."},
    {"ja", "雨が降っていたので、犬は家から出たくなかった。"},
    {"zh", "因为下雨，狗不想离开房子，但是孩子们去了河边。"},
    {"ko", "비가 와서 개는 집에서 나가고 싶어 하지 않았지만 아이들은 강으로 갔다."},
};

TEST(DetectLanguage, KnowsASentenceOrTwo) {
  for (const auto& [code, text] : kSamples) EXPECT_EQ(DetectLanguage(text), code) << text;
}

TEST(DetectLanguage, KnowsLongTextsByPiecesOfThem) {
  for (const auto& [code, text] : kSamples) {
    std::string repeated;
    while (repeated.size() < 20'000) (repeated += text) += "\n\n";
    EXPECT_EQ(DetectLanguage(repeated), code);
  }
}

// What says little, or is no prose.
TEST(DetectLanguage, OtherTextsHaveNone) {
  for (const std::string_view text :
       {"", "Hund", "die", "Haus und Hof", "1.2.3 4.5.6", "\xFF\xFE", "de la de la de la de la",
        "for (int i = 0; i < n; ++i) { sum += values[i]; }",
        "if (die == null || der.die != das.und) return mit.dem(die, der);",
        "2026-01-02T10:00:00Z INFO net.http: GET /de/la/el/que 200 12ms from=10.0.0.1 to=el.que.es",
        "NO NO NO IT IT DE DE ES ES EL EL LA LA IN IN",
        "Aachen, Berlin, Bremen, Dresden, Essen, Hamburg, Kiel, Leipzig, Mainz, Trier, Ulm"}) {
    EXPECT_EQ(DetectLanguage(text), "") << text;
  }
}

TEST(DetectLanguage, TextsInTwoLanguagesHaveNone) {
  const std::string german = std::string(kSamples[3].text) + "\n";
  const std::string english = std::string(kSamples[4].text) + "\n";
  std::string in_turn;
  std::string first;
  std::string second;
  for (int i = 0; i < 37; ++i) {
    (in_turn += german) += english;
    first += german;
    second += english;
  }
  EXPECT_EQ(DetectLanguage(in_turn), "");
  EXPECT_EQ(DetectLanguage(first + second), "");
  EXPECT_EQ(DetectLanguage(first), "de");
  EXPECT_EQ(DetectLanguage(second), "en");
}

// A name, a quotation or a licence does not change the language of a text.
TEST(DetectLanguage, AFewForeignWordsDoNotCount) {
  const std::string german(kSamples[3].text);
  EXPECT_EQ(DetectLanguage(german + german + " The Rolling Stones, El Niño, Zażółć. " + german),
            "de");
}

TEST(DetectLanguage, AnyBytesAreAText) {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  EXPECT_EQ(DetectLanguage(bytes), DetectLanguage(bytes));
}

TEST(DetectLanguage, ThreadsMayDetectAtTheSameTime) {
  std::vector<std::thread> threads;
  std::array<bool, 4> same{};
  for (bool& all : same) {
    threads.emplace_back([&all] {
      all = std::ranges::all_of(kSamples, [](const Sample& sample) {
        return DetectLanguage(sample.text) == sample.code;
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, (std::array{true, true, true, true}));
}

TEST(LanguagesOfQuestion, FunctionWordsSay) {
  const std::vector<std::string> stored = {"de", "fr"};
  const auto asked = [&](std::string_view question) {
    return LanguagesOfQuestion(question, stored);
  };
  EXPECT_EQ(asked("Welche Häuser sind nach dem Krieg gebaut worden?"),
            std::vector<std::string>{"de"});
  EXPECT_EQ(asked("Quelles maisons ont été construites après la guerre ?"),
            std::vector<std::string>{"fr"});
  EXPECT_EQ(asked("Which of the houses were built after the war?"), std::vector<std::string>{});
  EXPECT_EQ(asked("Häuser"), stored);  // no function word says what it is
}

TEST(LatinLanguages, CodesAndWordsAreWhatTheTableNeeds) {
  for (const LanguageWords& language : LatinLanguages()) {
    EXPECT_EQ(language.code.size(), 2u);
    EXPECT_FALSE(language.words.starts_with(' ') || language.words.ends_with(' '));
    EXPECT_EQ(language.words.find("  "), std::string_view::npos) << language.code;
  }
  for (const LetterOfLanguages& each : LettersOfLanguages()) {
    EXPECT_EQ(each.codes.size() % 3, 2u) << each.codes;
  }
}

}  // namespace
}  // namespace recall
