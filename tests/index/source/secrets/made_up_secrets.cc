#include "tests/index/source/secrets/made_up_secrets.h"

#include <cstdlib>

namespace recall {
namespace {

std::string_view AlphabetOf(char name) {
  constexpr std::string_view kAll =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  switch (name) {
    case 'D':
      return kAll.substr(0, 10);
    case 'H':
      return kAll.substr(0, 16);
    case 'L':
      return kAll.substr(10, 26);
    case 'U':
      return kAll.substr(36, 26);
    case 'A':
      return kAll.substr(10);
    case 'l':
      return kAll.substr(0, 36);
    case 'u':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    case 'B':
      return "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    case '6':
      return "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/";
    case 'P':
      return "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#%^*+=?_-.~";
    default:
      return kAll;
  }
}

}  // namespace

const std::vector<SecretShape>& SecretShapes() {
  static const std::vector<SecretShape> shapes = {
      {"aws-access-key-id",
       "AK"
       "IA{u16}",
       ""},
      {"aws-access-key-id",
       "AS"
       "IA{u16}",
       ""},
      {"aws-secret-access-key", "{640}", "aws_secret_access_key"},
      {"aws-secret-access-key", "{640}", "AWS_SECRET_KEY"},
      {"aws-bedrock-key",
       "AB"
       "SK{6120}",
       ""},
      {"aws-mws-token",
       "am"
       "zn.mws.{uuid}",
       ""},
      {"alibaba-access-key-id",
       "LT"
       "AI{W20}",
       ""},
      {"alibaba-secret-key", "{l30}", "ALIBABA_SECRET"},
      {"tencent-secret-id",
       "AK"
       "ID{W32}",
       ""},
      {"google-api-key",
       "AI"
       "za{W35}",
       ""},
      {"google-oauth-secret",
       "GOC"
       "SPX-{W28}",
       ""},
      {"google-oauth-token",
       "ya"
       "29.{B80}",
       ""},
      {"google-oauth-token",
       "1/"
       "/0{B50}",
       ""},
      {"firebase-server-key",
       "AA"
       "AA{B7}:APA91b{B134}",
       ""},
      {"azure-storage-key", "{686}==", "AccountKey"},
      {"azure-client-secret",
       "{W3}8Q"
       "~{W34}",
       ""},
      {"azure-sas-signature", "{W43}%3D", "https://x.blob.core.windows.net/c?sv=2022-11-02&sig"},
      {"azure-devops-token",
       "{W76}AZ"
       "DO{W4}",
       ""},
      {"github-token",
       "gh"
       "p_{W36}",
       ""},
      {"github-token",
       "gh"
       "o_{W36}",
       ""},
      {"github-token",
       "gh"
       "r_{W36}",
       ""},
      {"github-token",
       "github"
       "_pat_{W22}_{W59}",
       ""},
      {"github-token",
       "github"
       "_pat_{W82}",
       ""},
      {"gitlab-token",
       "glp"
       "at-{B20}",
       ""},
      {"gitlab-token",
       "glp"
       "tt-{H40}",
       ""},
      {"gitlab-token",
       "gld"
       "t-{B20}",
       ""},
      {"gitlab-token",
       "glr"
       "t-{B20}",
       ""},
      {"gitlab-token",
       "glso"
       "at-{B20}",
       ""},
      {"gitlab-token",
       "glc"
       "bt-{W2}_{B20}",
       ""},
      {"gitlab-token",
       "gla"
       "gent-{B50}",
       ""},
      {"gitlab-token",
       "glf"
       "t-{B20}",
       ""},
      {"gitlab-token",
       "gli"
       "mt-{B25}",
       ""},
      {"gitlab-token",
       "GR13"
       "48941{B20}",
       ""},
      {"bitbucket-token",
       "AT"
       "BB{W32}",
       ""},
      {"bitbucket-token", "{l64}", "bitbucket_client_secret"},
      {"atlassian-token",
       "AT"
       "ATT3{B180}={u8}",
       ""},
      {"atlassian-token", "{l24}", "JIRA_API_TOKEN"},
      {"slack-token",
       "xo"
       "xb-{D12}-{D12}-{W24}",
       ""},
      {"slack-token",
       "xo"
       "xp-{D12}-{D12}-{D12}-{H32}",
       ""},
      {"slack-token",
       "xa"
       "pp-1-{u11}-{D13}-{H64}",
       ""},
      {"slack-token",
       "xo"
       "xe.xoxp-1-{u163}",
       ""},
      {"slack-webhook",
       "https://hooks.sl"
       "ack.com/services/T{u10}/B{u10}/{W24}",
       ""},
      {"discord-webhook",
       "https://discord"
       ".com/api/webhooks/{D18}/{B68}",
       ""},
      {"discord-token", "M{W23}.{W6}.{B27}", "DISCORD_BOT_TOKEN"},
      {"discord-token", "{B32}", "discord_client_secret"},
      {"telegram-bot-token",
       "{D10}:A"
       "A{B33}",
       ""},
      {"teams-webhook",
       "https://acme.webhook.off"
       "ice.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}",
       ""},
      {"stripe-key",
       "sk"
       "_live_{W24}",
       ""},
      {"stripe-key",
       "rk"
       "_live_{W99}",
       ""},
      {"stripe-key",
       "sk"
       "_test_{W24}",
       ""},
      {"stripe-webhook-secret",
       "wh"
       "sec_{W32}",
       ""},
      {"twilio-key",
       "S"
       "K{H32}",
       ""},
      {"twilio-token", "{H32}", "TWILIO_AUTH_TOKEN"},
      {"sendgrid-key",
       "SG"
       ".{B22}.{B43}",
       ""},
      {"mailgun-key",
       "ke"
       "y-{H32}",
       ""},
      {"mailgun-key", "{H32}-{H8}-{H8}", "MAILGUN_SIGNING_KEY"},
      {"mailchimp-key",
       "{H32}-u"
       "s12",
       ""},
      {"npm-token",
       "np"
       "m_{W36}",
       ""},
      {"pypi-token",
       "py"
       "pi-AgEIcHlwaS5vcmc{B80}",
       ""},
      {"rubygems-token",
       "ruby"
       "gems_{H48}",
       ""},
      {"crates-io-token",
       "ci"
       "o{W32}",
       ""},
      {"nuget-key",
       "oy"
       "2{l43}",
       ""},
      {"dockerhub-token",
       "dckr"
       "_pat_{B27}",
       ""},
      {"clojars-token",
       "CLO"
       "JARS_{l60}",
       ""},
      {"digitalocean-token",
       "do"
       "p_v1_{H64}",
       ""},
      {"heroku-key", "{uuid}", "HEROKU_API_KEY"},
      {"heroku-key",
       "HR"
       "KU-AA{B58}",
       ""},
      {"cloudflare-key", "{B40}", "CLOUDFLARE_API_TOKEN"},
      {"cloudflare-key", "{H37}", "cloudflare_global_key"},
      {"cloudflare-origin-ca-key",
       "v1"
       ".0-{H24}-{H146}",
       ""},
      {"fastly-token", "{B32}", "FASTLY_API_TOKEN"},
      {"datadog-key", "{H32}", "DD_API_KEY"},
      {"datadog-key", "{H40}", "datadog_app_key"},
      {"new-relic-key",
       "NR"
       "AK-{u27}",
       ""},
      {"new-relic-key",
       "NR"
       "JS-{H19}",
       ""},
      {"new-relic-key", "{H40}", "NEW_RELIC_LICENSE_KEY"},
      {"sentry-token",
       "sn"
       "tryu_{H64}",
       ""},
      {"sentry-token",
       "sn"
       "trys_eyJ{W90}_{W43}",
       ""},
      {"sentry-token", "{H64}", "SENTRY_AUTH_TOKEN"},
      {"grafana-token",
       "gl"
       "c_{660}",
       ""},
      {"grafana-token",
       "gl"
       "sa_{W32}_{H8}",
       ""},
      {"grafana-token",
       "eyJ"
       "rIjoi{W70}",
       ""},
      {"vault-token",
       "hv"
       "s.{B95}",
       ""},
      {"vault-token", "s.{W24}", "VAULT_TOKEN"},
      {"terraform-token",
       "{W14}.at"
       "lasv1.{B67}",
       ""},
      {"pulumi-token",
       "pu"
       "l-{H40}",
       ""},
      {"databricks-token",
       "da"
       "pi{H32}",
       ""},
      {"snowflake-secret", "{W32}", "SNOWFLAKE_TOKEN"},
      {"openai-key",
       "sk"
       "-proj-{B74}T3Blbk"
       "FJ{B74}",
       ""},
      {"openai-key",
       "sk"
       "-{W20}T3Blbk"
       "FJ{W20}",
       ""},
      {"openai-key",
       "sk"
       "-{W48}",
       ""},
      {"openrouter-key",
       "sk"
       "-or-v1-{H64}",
       ""},
      {"anthropic-key",
       "sk"
       "-ant-api03-{B93}AA",
       ""},
      {"anthropic-key",
       "sk"
       "-ant-admin01-{B93}AA",
       ""},
      {"hugging-face-token",
       "h"
       "f_{A34}",
       ""},
      {"cohere-key", "{W40}", "CO_API_KEY"},
      {"replicate-token",
       "r"
       "8_{W37}",
       ""},
      {"perplexity-key",
       "pp"
       "lx-{W48}",
       ""},
      {"groq-key",
       "gs"
       "k_{W52}",
       ""},
      {"xai-key",
       "xa"
       "i-{W80}",
       ""},
      {"pinecone-key",
       "pc"
       "sk_{W70}",
       ""},
      {"langsmith-key",
       "ls"
       "v2_pt_{H32}_{H10}",
       ""},
      {"mistral-key", "{W32}", "MISTRAL_API_KEY"},
      {"square-token",
       "sq"
       "0atp-{B22}",
       ""},
      {"square-token",
       "sq"
       "0csp-{B43}",
       ""},
      {"square-token",
       "EA"
       "AA{W60}",
       ""},
      {"shopify-token",
       "sh"
       "pat_{H32}",
       ""},
      {"shopify-token",
       "sh"
       "pss_{H32}",
       ""},
      {"braintree-token",
       "access_token"
       "$production${l16}${H32}",
       ""},
      {"paypal-secret", "E{B79}", "PAYPAL_CLIENT_SECRET"},
      {"plaid-token",
       "acc"
       "ess-sandbox-{uuid}",
       ""},
      {"plaid-secret", "{H30}", "PLAID_SECRET"},
      {"okta-token", "00{B40}", "OKTA_API_TOKEN"},
      {"auth0-secret", "{B64}", "AUTH0_CLIENT_SECRET"},
      {"linear-token",
       "li"
       "n_api_{W40}",
       ""},
      {"notion-token",
       "nt"
       "n_{W46}",
       ""},
      {"notion-token",
       "sec"
       "ret_{W43}",
       ""},
      {"airtable-token",
       "p"
       "at{W14}.{H64}",
       ""},
      {"airtable-key", "key{W14}", "AIRTABLE_API_KEY"},
      {"asana-token", "1/{D16}:{H32}", "ASANA_ACCESS_TOKEN"},
      {"asana-token", "{l32}", "asana_client_secret"},
      {"figma-token",
       "fi"
       "gd_{B40}",
       ""},
      {"postman-key",
       "PM"
       "AK-{H24}-{H34}",
       ""},
      {"doppler-token",
       "dp"
       ".pt.{W43}",
       ""},
      {"1password-token",
       "ops"
       "_eyJ{W250}",
       ""},
      {"1password-secret-key",
       "A"
       "3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}",
       ""},
      {"age-secret-key",
       "AGE-SEC"
       "RET-KEY-1{u58}",
       ""},
      {"adobe-secret",
       "p8"
       "e-{W32}",
       ""},
      {"artifactory-key",
       "AK"
       "Cp{W69}",
       ""},
      {"circleci-token",
       "CC"
       "IPAT_{W22}_{H40}",
       ""},
      {"contentful-token",
       "CF"
       "PAT-{B43}",
       ""},
      {"dynatrace-token",
       "dt"
       "0c01.{u24}.{u64}",
       ""},
      {"easypost-token",
       "EZ"
       "AK{W54}",
       ""},
      {"fly-token",
       "fo"
       "1_{B43}",
       ""},
      {"hubspot-token", "{uuid}", "HUBSPOT_API_KEY"},
      {"infracost-key",
       "ic"
       "o-{W32}",
       ""},
      {"launchdarkly-key", "{B40}", "LAUNCHDARKLY_ACCESS_TOKEN"},
      {"mapbox-token",
       "sk"
       ".eyJ{W70}.{B22}",
       ""},
      {"mattermost-token", "{l26}", "MATTERMOST_TOKEN"},
      {"netlify-token",
       "nf"
       "p_{W40}",
       ""},
      {"openshift-token",
       "sha"
       "256~{B43}",
       ""},
      {"planetscale-token",
       "psc"
       "ale_tkn_{W43}",
       ""},
      {"prefect-token",
       "pn"
       "u_{l36}",
       ""},
      {"sendinblue-key",
       "xke"
       "ysib-{H64}-{W16}",
       ""},
      {"snyk-token", "{uuid}", "SNYK_TOKEN"},
      {"sonar-token",
       "sq"
       "p_{H40}",
       ""},
      {"sourcegraph-token",
       "sg"
       "p_{H40}",
       ""},
      {"supabase-key",
       "sb"
       "p_{H40}",
       ""},
      {"tailscale-key",
       "ts"
       "key-auth-{W12}CNTRL-{W32}",
       ""},
      {"travis-token", "{W22}", "TRAVIS_TOKEN"},
      {"zendesk-token", "{l40}", "zendesk_secret_key"},
      {"json-web-token",
       "eyJ"
       "hbGciOiJIUzI1NiJ9.eyJ{W60}.{B43}",
       ""},
      {"url-password", "{W16}", "postgres://admin:@"},
      {"url-password", "{W24}", "mongodb+srv://user:@"},
      {"password", "{P16}", "DB_PASSWORD"},
      {"password", "{P20}", "password"},
      {"password", "{W12}", "db.password"},
      {"generic-secret", "{W32}", "api_key"},
      {"generic-secret", "{W40}", "client_secret"},
      {"generic-secret", "{H32}", "SECRET_KEY"},
      {"generic-secret", "{H64}", "sessionToken"},
      {"generic-secret", "{B43}", "X-Api-Key"},
      {"generic-secret", "{W24}", "authToken"},
      {"generic-secret", "{644}", "SIGNING_SECRET"},
  };
  return shapes;
}

std::string MakeUpSecret(std::string_view shape, std::mt19937_64& random) {
  std::string secret;
  for (size_t at = 0; at < shape.size(); ++at) {
    if (shape[at] != '{') {
      secret += shape[at];
      continue;
    }
    const size_t end = shape.find('}', at);
    const std::string item(shape.substr(at + 1, end - at - 1));
    at = end;
    if (item == "uuid") {
      secret += MakeUpSecret("{H8}-{H4}-4{H3}-a{H3}-{H12}", random);
      continue;
    }
    const std::string_view alphabet = AlphabetOf(item[0]);
    for (int i = std::atoi(item.c_str() + 1); i > 0; --i) {
      secret += alphabet[random() % alphabet.size()];
    }
  }
  return secret;
}

}  // namespace recall
