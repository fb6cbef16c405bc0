// How tools, files and people write secrets. The table is made up from what they print, not from
// the rules: secrets_quality counts how many of these forms are missed, and where.

#include "tests/index/source/secrets/printed_secrets.h"

#include <nlohmann/json.hpp>

#include "tests/index/source/secrets/made_up_secrets.h"

namespace recall {
namespace {

constexpr SecretWriting kBase64 = SecretWriting::kBase64;
constexpr SecretWriting kHexDump = SecretWriting::kHexDump;
constexpr SecretWriting kXxd = SecretWriting::kXxd;
constexpr SecretWriting kOctalDump = SecretWriting::kOctalDump;

std::string PrintedInBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string base64;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    for (count += 8; count >= 6;) base64 += kDigits[bits >> (count -= 6) & 63];
  }
  if (count > 0) base64 += kDigits[bits << (6 - count) & 63];
  while (base64.size() % 4 != 0) base64 += '=';
  return base64;
}

// The lines of a dump: 16 bytes a line, as `hexdump -C`, `xxd` and `od -c` print them.
std::string Dumped(std::string_view text, SecretWriting writing) {
  std::string dump;
  for (size_t at = 0; at < text.size(); at += 16) {
    const std::string_view bytes = text.substr(at, 16);
    char field[32];
    const char* const place = writing == SecretWriting::kOctalDump ? "%07zo" : "%08zx";
    std::snprintf(field, sizeof(field), place, at);
    std::string line = field;
    line += writing == SecretWriting::kXxd ? ": " : writing == SecretWriting::kHexDump ? "  " : "";
    std::string shown;
    for (size_t i = 0; i < 16; ++i) {
      const char c = i < bytes.size() ? bytes[i] : ' ';
      if (i < bytes.size()) shown += c < ' ' ? '.' : c;
      if (writing == SecretWriting::kOctalDump) {
        if (i < bytes.size()) line += std::string("   ") + c;
        continue;
      }
      std::snprintf(field, sizeof(field), i < bytes.size() ? "%02x" : "  ", c);
      line += field;
      if (writing == SecretWriting::kHexDump) line += i == 7 ? "  " : " ";
      if (writing == SecretWriting::kXxd && i % 2 == 1) line += ' ';
    }
    if (writing == SecretWriting::kHexDump) line += " |" + shown + "|";
    if (writing == SecretWriting::kXxd) line += " " + shown;
    dump += line + "\n";
  }
  return dump;
}

std::string Written(const std::string& secret, SecretWriting writing) {
  if (writing == SecretWriting::kPlain) return secret;
  return writing == SecretWriting::kBase64 ? PrintedInBase64(secret) : Dumped(secret, writing);
}

std::string PrintedJson(const std::string& text) { return nlohmann::json(text).dump(); }

// Puts a text in front of each of its lines; `%`: the number of the line.
std::string LinesMarked(std::string_view text, const char* mark) {
  std::string lines;
  size_t number = 1;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    char before[32];
    std::snprintf(before, sizeof(before), mark, number);
    lines.append(before).append(text.substr(at, end - at)).append("\n");
    at = end + 1;
  }
  return lines;
}

}  // namespace

const std::vector<PrintedSecret>& PrintedSecrets() {
  static const std::vector<PrintedSecret> forms = {
      {"grep --color, name and value", "\033[32m\033[KDB_PASSWORD\033[m\033[K=\033[33m{S}\033[0m",
       "{P18}"},
      {"grep --color of a name",
       ".env\033[36m\033[K:\033[m\033[KDB_\033[01;31m\033[KPASSWORD\033[m\033[K={S}", "{W24}"},
      {"jq -C", "  \033[34;1m\"api_key\"\033[0m\033[1;39m:\033[0m \033[0;32m\"{S}\"\033[0m",
       "{W32}"},
      {"bat", "\033[38;5;231mSECRET_KEY\033[0m\033[38;5;203m=\033[0m\033[38;5;186m{S}\033[0m",
       "{W32}"},
      {"git diff --color", "\033[32m+\033[m\033[32mpassword: {S}\033[m", "{P18}"},
      {"git diff --word-diff", "password=[-changeme-]{+{S}+}", "{W24}"},
      {"grep --color of a prefix", "\033[01;31m\033[Kghp_\033[m\033[K{S}", "{W36}"},
      {"ripgrep --color",
       "\033[0m\033[35m.env\033[0m:\033[0m\033[32m3\033[0m:\033[0m\033[1m\033[31mAPI_TOKEN\033[0m={"
       "S}",
       "{W24}"},
      {"coloured URL", "postgres://bob:\033[31m{S}\033[0m@db/x", "{W20}"},
      {".pgpass", "db.example.net:5432:mydb:bob:{S}", "{W20}"},
      {".pgpass with stars", "*:*:*:postgres:{S}", "{W18}"},
      {"/etc/shadow SHA-512", "root:{S}:19405:0:99999:7:::", "$6${W16}${W86}"},
      {"/etc/shadow yescrypt", "bob:{S}:19405:0:99999:7:::", "$y$j9T${W22}${W43}"},
      {".htpasswd apr1", "bob:{S}", "$apr1${W8}${W22}"},
      {".htpasswd bcrypt", "bob:{S}", "$2y$05${W53}"},
      {".htpasswd SHA", "bob:{SHA}{S}", "{627}="},
      {"chpasswd", "echo 'root:{S}' | chpasswd", "{W16}"},
      {"sudo chpasswd", "echo \"bob:{S}\" | sudo chpasswd", "{P16}"},
      {"chpasswd here-string", "chpasswd <<< 'deploy:{S}'", "{W16}"},
      {".netrc", "machine api.example.net\n  login bob\n  password {S}", "{P18}"},
      {".my.cnf", "[client]\nuser=root\npassword=\"{S}\"", "{P18}"},
      {".s3cfg", "access_key = AKIDEXAMPLEX\nsecret_key = {S}", "{640}"},
      {"docker config",
       "\"auths\": {\n  \"https://index.docker.io/v1/\": {\n    \"auth\": \"{S}\"\n  }\n}",
       "bob:{W20}", kBase64},
      {".npmrc _authToken", "//registry.npmjs.org/:_authToken={S}", "{uuid}"},
      {".npmrc _password", "//npm.example.net/:username=bob\n//npm.example.net/:_password=\"{S}\"",
       "{W20}", kBase64},
      {"pip.conf", "[global]\nindex-url = https://bob:{S}@pypi.example.net/simple", "{W20}"},
      {".git-credentials", "https://bob:{S}@git.example.net", "{W20}"},
      {"git credential fill", "protocol=https\nhost=git.example.net\nusername=bob\npassword={S}",
       "{W20}"},
      {"Ansible inventory", "web1 ansible_host=10.0.0.1 ansible_user=bob ansible_ssh_pass={S}",
       "{W20}"},
      {"wpa_supplicant", "network={\n\tssid=\"home\"\n\tpsk=\"{S}\"\n}", "{W14}"},
      {"wpa_passphrase", "network={\n\tssid=\"home\"\n\t#psk=\"somethingelse\"\n\tpsk={S}\n}",
       "{H64}"},
      {"nmcli -s", "802-11-wireless-security.psk:            {S}", "{W16}"},
      {"nmcli device wifi connect", "nmcli device wifi connect home password {S}", "{W16}"},
      {"nmcli show-password", "SSID: home\nSecurity: WPA\nPassword: {S}", "{W14}"},
      {"hostapd", "wpa_passphrase={S}", "{W14}"},
      {"netsh wlan", "    Authentication         : WPA2-Personal\n    Key Content            : {S}",
       "{W14}"},
      {"NetworkManager file", "[wifi-security]\nkey-mgmt=wpa-psk\npsk={S}", "{P14}"},
      {"WireGuard private key", "[Interface]\nPrivateKey = {S}\nAddress = 10.0.0.2/32", "{643}="},
      {"WireGuard preshared key", "[Peer]\nPresharedKey = {S}", "{643}="},
      {"OpenVPN static key",
       "-----BEGIN OpenVPN Static key V1-----\n{S}\n-----END OpenVPN Static key V1-----",
       "{H32}\n{H32}\n{H32}\n{H32}\n{H32}\n{H32}\n{H32}\n{H32}"},
      {"ipsec.secrets", "10.0.0.1 10.0.0.2 : PSK \"{S}\"", "{W20}"},
      {"chap-secrets", "# client server secret IP\nbob * {S} *", "{W20}"},
      {"smbclient -U", "smbclient //srv/share -U bob%{S}", "{W16}"},
      {"mount.cifs -o", "mount -t cifs //srv/share /mnt -o username=bob,password={S},vers=3.0",
       "{W16}"},
      {"rpcclient -U", "rpcclient -U 'CORP\\bob%{S}' 10.0.0.1", "{P16}"},
      {"net use", "net use Z: \\\\srv\\share /user:bob {S}", "{W16}"},
      {"net use, password first", "net use Z: \\\\srv\\share {S} /user:CORP\\bob", "{W16}"},
      {"cmdkey", "cmdkey /add:srv /user:bob /pass:{S}", "{W16}"},
      {"net user", "net user bob {S} /add", "{P14}"},
      {"psql",
       " id | username |       password\n----+----------+----------------------\n  1 | bob      | "
       "{S}\n(1 row)",
       "{W20}"},
      {"psql, wide",
       " username |        api_key         | "
       "created\n----------+------------------------+-----------\n bob      | {S} | 2026-01-01",
       "{W24}"},
      {"psql expanded", "-[ RECORD 1 ]------\nid       | 1\nusername | bob\npassword | {S}",
       "{W20}"},
      {"mysql",
       "+----+------+----------------------+\n| id | user | password             "
       "|\n+----+------+----------------------+\n|  1 | bob  | {S} "
       "|\n+----+------+----------------------+",
       "{W20}"},
      {"mysql -G", "*************************** 1. row ***\n      id: 1\npassword: {S}", "{W20}"},
      {"columns", "NAME    ROLE    PASSWORD\nbob     admin   {S}\n", "{W20}"},
      {"columns, token",
       "ID   NAME     TOKEN                            CREATED\n7    ci       {S}   2 days ago",
       "{W32}"},
      {"CSV", "id,user,password\n1,bob,{S}", "{W20}"},
      {"TSV", "id\tuser\tpassword\n1\tbob\t{S}", "{W20}"},
      {"Markdown table", "| user | password |\n| --- | --- |\n| bob | {S} |", "{W20}"},
      {"sqlite3 -box",
       "┌────┬──────────────────────┐\n│ id │       password       "
       "│\n├────┼──────────────────────┤\n│ 1  │ {S} │\n└────┴──────────────────────┘",
       "{W20}"},
      {"sqlite3 -column", "id  password\n--  --------------------\n1   {S}", "{W20}"},
      {"aws --output table",
       "|  AccessKeyId     |  AKIDEXAMPLEX                              |\n|  SecretAccessKey |  "
       "{S}  |",
       "{640}"},
      {"az storage keys -o table",
       "KeyName    Permissions    Value\n---------  -------------  -----\nkey1       FULL          "
       " {S}",
       "{686}=="},
      {"kubectl get secret -o yaml", "apiVersion: v1\ndata:\n  password: {S}\nkind: Secret",
       "{W20}", kBase64},
      {"kubectl jsonpath", "{\"password\":\"{S}\",\"username\":\"Ym9i\"}", "{W20}", kBase64},
      {"kubectl describe pod", "    Environment:\n      DB_HOST:      db\n      DB_PASSWORD:  {S}",
       "{W20}"},
      {"kubectl config view --raw", "users:\n- name: admin\n  user:\n    token: {S}", "{B64}"},
      {"kubectl create secret", "kubectl create secret generic db --from-literal=password={S}",
       "{W20}"},
      {"kubectl data of another name", "apiVersion: v1\nkind: Secret\ndata:\n  htpasswd: {S}",
       "bob:$apr1${W8}${W22}", kBase64},
      {"helm --set", "helm install db bitnami/postgresql --set auth.postgresPassword={S}", "{W20}"},
      {"kubeadm join",
       "kubeadm join 10.0.0.1:6443 --token {S} --discovery-token-ca-cert-hash sha256:x",
       "{l6}.{l16}"},
      {"docker swarm join", "docker swarm join --token {S} 10.0.0.1:2377", "SWMTKN-1-{l50}-{l25}"},
      {"docker inspect",
       "\"Env\": [\n    \"PATH=/bin\",\n    \"POSTGRES_PASSWORD={S}\",\n    \"LANG=C\"\n]",
       "{W20}"},
      {"docker history", "<missing> 2 days ago |1 NPM_TOKEN={S} /bin/sh -c npm ci", "{W36}"},
      {"docker compose config", "    environment:\n      POSTGRES_PASSWORD: {S}", "{W20}"},
      {"docker login", "docker login -u bob -p {S} registry.example.net", "{W20}"},
      {"aws sts",
       "{\n  \"Credentials\": {\n    \"AccessKeyId\": \"x\",\n    \"SecretAccessKey\": \"{S}\"\n  "
       "}\n}",
       "{640}"},
      {"aws session token", "aws_session_token = {S}", "IQoJb3JpZ2luX2Vj{6200}"},
      {"aws secretsmanager",
       "\"SecretString\": \"{\\\"username\\\":\\\"bob\\\",\\\"password\\\":\\\"{S}\\\"}\"",
       "{W20}"},
      {"aws ssm",
       "\"Name\": \"/prod/db/password\",\n\"Type\": \"SecureString\",\n\"Value\": \"{S}\"",
       "{W20}"},
      {"gh auth status -t", "  - Token: {S}", "gho_{W36}"},
      {"az account get-access-token", "\"accessToken\": \"{S}\"",
       "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJ{B60}.{B86}"},
      {"az ad sp create",
       "{\n  \"appId\": \"0b7d1e0c-1111-4222-8333-944455556666\",\n  \"password\": \"{S}\",\n  "
       "\"tenant\": \"x\"\n}",
       "{B3}8Q~{B34}"},
      {"gcloud auth print-access-token", "{S}", "ya29.{B120}"},
      {"GCP service account",
       "\"type\": \"service_account\",\n\"private_key\": \"-----BEGIN PRIVATE "
       "KEY-----\\n{S}\\n-----END PRIVATE KEY-----\\n\"",
       "{664}\\n{664}\\n{664}"},
      {"vault kv get", "====== Data ======\nKey         Value\n---         -----\npassword    {S}",
       "{W20}"},
      {"vault operator init", "Unseal Key 1: {S}", "{643}="},
      {"vault login",
       "Key                  Value\n---                  -----\ntoken                {S}",
       "hvs.{W90}"},
      {"terraform output", "db_password = \"{S}\"", "{W20}"},
      {"terraform plan", "      + admin_password                   = \"{S}\"", "{W20}"},
      {"tfstate", "\"attributes\": {\n  \"name\": \"db\",\n  \"password\": \"{S}\"\n}", "{W20}"},
      {"gcloud sql users", "gcloud sql users set-password bob --instance=x --password={S}",
       "{W20}"},
      {"heroku config", "=== app Config Vars\nDATABASE_URL:   postgres://u:{S}@h/d", "{W24}"},
      {"flyctl tokens", "FlyV1 {S}", "fm2_{W200}"},
      {"curl -v basic", "> GET / HTTP/1.1\n> Host: h\n> Authorization: Basic {S}\n> Accept: */*",
       "bob:{W20}", kBase64},
      {"curl -v X-API-Key", "> X-API-Key: {S}", "{W32}"},
      {"curl -v Set-Cookie", "< HTTP/1.1 200 OK\n< Set-Cookie: session={S}; Path=/; HttpOnly",
       "{W40}"},
      {"curl -v Cookie", "> Cookie: sessionid={S}; theme=dark", "{l32}"},
      {"Proxy-Authorization", "Proxy-Authorization: Basic {S}", "bob:{W20}", kBase64},
      {"curl -u", "curl -u bob:{S} https://h/x", "{W20}"},
      {"curl --digest", "curl --digest --user bob:{S} https://h/x", "{P16}"},
      {"wget", "wget --user=bob --password={S} https://h/x", "{W20}"},
      {"cookie jar", ".example.net\tTRUE\t/\tTRUE\t1790000000\tsessionid\t{S}", "{l32}"},
      {"PRIVATE-TOKEN", "curl --header \"PRIVATE-TOKEN: {S}\" https://git.example.net/api",
       "{W20}"},
      {"form data", "grant_type=password&username=bob&password={S}&scope=all", "{W20}"},
      {"HAR", "\"name\": \"authorization\",\n\"value\": \"Bearer {S}\"", "{W40}"},
      {"webhook of Mattermost", "https://chat.example.net/hooks/{S}", "{l26}"},
      {"JDBC", "jdbc:postgresql://h:5432/db?user=bob&password={S}", "{W20}"},
      {"JDBC Oracle", "jdbc:oracle:thin:bob/{S}@//h:1521/x", "{W20}"},
      {"ADO", "Server=h;Database=d;User Id=sa;Password={S};Encrypt=true", "{W18}"},
      {"ADO pwd", "Driver={ODBC};Server=h;Uid=sa;Pwd={S};", "{W20}"},
      {"sqlplus", "sqlplus scott/{S}@orcl", "{W16}"},
      {"libpq", "host=db port=5432 user=bob password={S} dbname=x", "{W20}"},
      {"redis URL", "redis://:{S}@h:6379/0", "{W20}"},
      {"redis.conf", "requirepass {S}", "{W24}"},
      {"redis-cli -a", "redis-cli -h h -a {S} ping", "{W24}"},
      {"redis AUTH", "127.0.0.1:6379> AUTH default {S}", "{W24}"},
      {"mysql -p", "mysql -u root -p{S} db", "{W16}"},
      {"mysqldump --password", "mysqldump --user=root --password={S} db", "{P16}"},
      {"PGPASSWORD", "PGPASSWORD={S} psql -h db -U bob", "{W20}"},
      {"ALTER USER", "ALTER USER bob WITH PASSWORD '{S}';", "{P16}"},
      {"ALTER ROLE ENCRYPTED", "ALTER ROLE bob WITH ENCRYPTED PASSWORD '{S}';", "{W20}"},
      {"pg_authid", "CREATE ROLE bob WITH LOGIN PASSWORD '{S}';",
       "SCRAM-SHA-256$4096:{622}==${643}=:{643}="},
      {"GRANT", "GRANT ALL ON db.* TO 'bob'@'%' IDENTIFIED BY '{S}';", "{P16}"},
      {"SET PASSWORD", "SET PASSWORD FOR 'bob'@'%' = PASSWORD('{S}');", "{W16}"},
      {"mongo createUser", "db.createUser({user: \"bob\", pwd: \"{S}\", roles: []})", "{P16}"},
      {"mongosh", "mongosh \"mongodb://h\" -u bob -p {S} --authenticationDatabase admin", "{W16}"},
      {"sqlcmd", "sqlcmd -S h -U sa -P '{S}'", "{P16}"},
      {"ldapsearch", "ldapsearch -D cn=admin,dc=x -w {S} -b dc=x", "{W16}"},
      {"LDIF", "userPassword: {SSHA}{S}", "{638}"},
      {"LDIF base64", "userPassword:: {S}", "{W16}", kBase64},
      {"rabbitmqctl", "rabbitmqctl add_user bob {S}", "{W20}"},
      {"rabbitmqctl change_password", "rabbitmqctl change_password bob {S}", "{P16}"},
      {"influx", "influx setup --username bob --password {S} --org x --force", "{W20}"},
      {"kafka jaas",
       "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"bob\" "
       "password=\"{S}\";",
       "{W20}"},
      {"sshpass", "sshpass -p '{S}' ssh bob@h", "{P14}"},
      {"openssl passin", "openssl rsa -in k.pem -passin pass:{S}", "{W16}"},
      {"openssl enc -k", "openssl enc -aes-256-cbc -k {S} -in a -out b", "{W20}"},
      {"ssh-keygen -N", "ssh-keygen -t ed25519 -N '{S}' -f k", "{P16}"},
      {"gpg --passphrase", "gpg --batch --passphrase {S} -d x.gpg", "{W16}"},
      {"zip -P", "zip -P {S} a.zip b", "{W16}"},
      {"7z -p", "7z a -p{S} a.7z b", "{W16}"},
      {"htpasswd -b", "htpasswd -b .htpasswd bob {S}", "{W16}"},
      {"useradd -p", "useradd -p '{S}' bob", "$6${W16}${W86}"},
      {"usermod openssl", "usermod --password $(openssl passwd -6 {S}) bob", "{W16}"},
      {"echo | sudo -S", "echo '{S}' | sudo -S apt-get update", "{P14}"},
      {"echo | passwd --stdin", "echo {S} | passwd --stdin bob", "{W16}"},
      {"docker login stdin", "echo {S} | docker login -u bob --password-stdin", "{W32}"},
      {"gh auth login", "echo {S} | gh auth login --with-token", "{H40}"},
      {"keytool", "keytool -list -keystore a.jks -storepass {S}", "{W16}"},
      {"svn", "svn co https://h/x --username bob --password {S}", "{W16}"},
      {"kinit", "echo {S} | kinit bob@EXAMPLE.NET", "{W16}"},
      {"xfreerdp", "xfreerdp /v:h /u:bob /p:'{S}'", "{P14}"},
      {"vncpasswd", "x11vnc -passwd {S} -display :0", "{W12}"},
      {"curl ftp", "lftp -u bob,{S} ftp.example.net", "{W16}"},
      {"expect", "expect \"assword:\"\nsend \"{S}\\r\"", "{P14}"},
      {"PowerShell SecureString", "ConvertTo-SecureString \"{S}\" -AsPlainText -Force", "{P16}"},
      {"PowerShell env", "$env:API_KEY = \"{S}\"", "{W32}"},
      {"Get-ChildItem env:",
       "Name                           Value\n----                           -----\nAPI_KEY        "
       "                {S}",
       "{W32}"},
      {"setx", "setx API_KEY \"{S}\"", "{W32}"},
      {"declare -x", "declare -x DB_PASSWORD=\"{S}\"", "{P16}"},
      {"fish", "set -gx DB_PASSWORD '{S}'", "{W20}"},
      {"systemctl show", "Environment=PATH=/bin DB_PASSWORD={S} LANG=C", "{W20}"},
      {"ps", "root 7 0.0 0.1 mysqld --user=root --password={S} --port=3306", "{W20}"},
      {"/proc/PID/environ", "PATH=/bin\001DB_PASSWORD={S}\001LANG=C", "{W20}"},
      {"history", "  501  export TOKEN={S}", "{W32}"},
      {"strace", "write(3, \"user=bob\\npassword={S}\\n\", 40) = 40", "{W20}"},
      {"set -x", "+ curl -H 'X-Auth-Token: {S}' https://h", "{W32}"},
      {"git config", "http.https://h/.extraheader AUTHORIZATION: basic {S}", "x-access-token:{W40}",
       kBase64},
      {"git remote -v", "origin\thttps://bob:{S}@git.example.net/x.git (fetch)", "{W20}"},
      {"npm config ls", "//registry.npmjs.org/:_authToken = \"{S}\"", "{uuid}"},
      {"pip install", "pip install --index-url https://__token__:{S}@pypi.example.net/simple x",
       "{W24}"},
      {"rclone config", "[remote]\ntype = sftp\npass = {S}", "{B38}"},
      {"restic", "RESTIC_PASSWORD={S} restic backup /srv", "{W20}"},
      {"borg", "export BORG_PASSPHRASE='{S}'", "{P20}"},
      {"security find-generic-password", "keychain: \"x\"\npassword: \"{S}\"", "{P16}"},
      {"op item get", "Fields:\n  username:    bob\n  password:    {S}", "{P20}"},
      {"bw get", "\"login\":{\"username\":\"bob\",\"password\":\"{S}\",\"totp\":null}", "{P20}"},
      {"pass insert", "echo -e \"{S}\\n{S}\" | pass insert x", "{P16}"},
      {"Python repr", "{'user': 'bob', 'password': '{S}'}", "{P16}"},
      {"Rust Debug", "Config { user: \"bob\", password: Some(\"{S}\") }", "{P16}"},
      {"Go %+v", "{User:bob Password:{S} Port:5432}", "{W20}"},
      {"Ruby inspect", "{:user=>\"bob\", :password=>\"{S}\"}", "{P16}"},
      {"PHP var_dump", "[\"password\"]=>\n  string(20) \"{S}\"", "{W20}"},
      {"PHP print_r", "    [password] => {S}", "{W20}"},
      {"Java toString", "Config(user=bob, password={S}, port=1)", "{W20}"},
      {"Scala", "Config(Some(bob),password -> {S})", "{W20}"},
      {"XML", "<user>bob</user><password>{S}</password>", "{W20}"},
      {"web.config", "<add key=\"ApiKey\" value=\"{S}\"/>", "{W32}"},
      {"unattend.xml",
       "<AdministratorPassword>\n  <Value>{S}</Value>\n  "
       "<PlainText>true</PlainText>\n</AdministratorPassword>",
       "{P16}"},
      {"Spring", "spring.datasource.password={S}", "{P16}"},
      {"wp-config", "define( 'DB_PASSWORD', '{S}' );", "{P16}"},
      {"wp-config salt", "define('AUTH_KEY',         '{S}');", "{P64}"},
      {"Django", "SECRET_KEY = 'django-insecure-{S}'", "{l50}"},
      {"Laravel", "APP_KEY=base64:{S}", "{643}="},
      {"Rails", "secret_key_base: {S}", "{H128}"},
      {"HTML form", "<input type=\"password\" name=\"pw\" value=\"{S}\">", "{W16}"},
      {"logfmt", "level=info msg=login user=bob password={S} took=3ms", "{W20}"},
      {"JSON log", "{\"level\":\"info\",\"msg\":\"login\",\"password\":\"{S}\"}", "{W20}"},
      {"TOML", "[database]\nuser = \"bob\"\npassword = \"{S}\"", "{P16}"},
      {"nginx", "proxy_set_header X-Api-Key \"{S}\";", "{W32}"},
      {"Cisco enable secret", "enable secret 5 {S}", "$1${W4}${W22}"},
      {"Cisco type 7", "username bob password 7 {S}", "0822{H20}"},
      {"SNMP", "snmp-server community {S} RW", "{W16}"},
      {"Junos", "encrypted-password \"{S}\"; ## SECRET-DATA", "$6${W8}${W86}"},
      {"password of a person", "ADMIN_PASSWORD={S}", "hunter2Winter20{D2}!"},
      {"password of a person in YAML", "admin_password: {S}", "Sommer20{D2}!"},
      {"password of two words", "MYSQL_ROOT_PASSWORD={S}", "BlueRocket{D3}"},
      {"German Kennwort", "Kennwort: {S}", "{W14}"},
      {"German sentence", "Das Kennwort für bob ist {S}", "{W14}"},
      {"German Zugangsdaten", "Benutzer: bob\nPasswort: {S}", "{W14}"},
      {"French", "Mot de passe : {S}", "{W14}"},
      {"Spanish", "Contraseña: {S}", "{W14}"},
      {"Spanish clave", "Usuario: bob\nClave: {S}", "{W14}"},
      {"Portuguese", "Senha: {S}", "{W14}"},
      {"Italian", "Password di accesso: {S}", "{W14}"},
      {"Russian", "Пароль: {S}", "{W14}"},
      {"Chinese", "密码：{S}", "{W14}"},
      {"Chinese traditional", "密碼: {S}", "{W14}"},
      {"Japanese", "パスワード：{S}", "{W14}"},
      {"Korean", "비밀번호: {S}", "{W14}"},
      {"Polish", "Hasło: {S}", "{W14}"},
      {"Dutch", "Wachtwoord: {S}", "{W14}"},
      {"Swedish", "Lösenord: {S}", "{W14}"},
      {"Turkish", "Şifre: {S}", "{W14}"},
      {"Czech", "Heslo: {S}", "{W14}"},
      {"Finnish", "Salasana: {S}", "{W14}"},
      {"Arabic", "كلمة المرور: {S}", "{W14}"},
      {"temporary password of MySQL", "A temporary password is generated for root@localhost: {S}",
       "{W12}"},
      {"Jenkins", "Please use the following password to proceed to installation:\n\n{S}\n",
       "{H32}"},
      {"Elasticsearch",
       "Password for the elastic user (reset with `bin/elasticsearch-reset-password -u "
       "elastic`):\n  {S}",
       "{B20}"},
      {"generated password", "Generated password: {S}", "{W16}"},
      {"a sentence", "The root password on that box is {S}, please rotate it.", "{W16}"},
      {"PIN and PUK", "SIM PUK: {S}", "{D8}"},
      {"recovery key in groups", "recovery key: {S}", "{u4}-{u4}-{u4}-{u4}-{u4}-{u4}-{u4}-{u4}"},
      {"recovery key with spaces", "Recovery Key\nEsT{W1} {W4} {W4} {S}",
       "{W4} {W4} {W4} {W4} {W4} {W4} {W4} {W4}"},
      {"BitLocker", "Recovery Key:\n    {S}", "{D6}-{D6}-{D6}-{D6}-{D6}-{D6}-{D6}-{D6}"},
      {"FileVault", "Recovery key = '{S}'", "{U4}-{U4}-{U4}-{U4}-{U4}-{U4}"},
      {"recovery codes", "Save these recovery codes:\n{S}",
       "{l5}-{l5}\n{l5}-{l5}\n{l5}-{l5}\n{l5}-{l5}"},
      {"backup codes", "Backup codes:\n1. {S}", "{D4} {D4}\n2. {D4} {D4}\n3. {D4} {D4}"},
      {"otpauth", "otpauth://totp/x:bob?secret={S}&issuer=x", "{U32}"},
      {"TOTP secret in groups", "setup key: {S}", "{L4} {L4} {L4} {L4} {L4} {L4} {L4} {L4}"},
      {"app password of Google", "app password: {S}", "{L4} {L4} {L4} {L4}"},
      {"license key", "License key: {S}", "{u5}-{u5}-{u5}-{u5}-{u5}"},
      {"end of a private key", "{S}\n-----END RSA PRIVATE KEY-----",
       "{664}\n{664}\n{664}\n{620}=="},
      {"end of an OpenSSH key", "{S}\n-----END OPENSSH PRIVATE KEY-----", "{670}\n{670}\n{620}"},
      {"begin of a private key", "-----BEGIN RSA PRIVATE KEY-----\n{S}", "{664}\n{664}\n{664}"},
      {"gpg --armor",
       "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{S}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
       "{664}\n{664}\n{664}\n{620}"},
      {"PuTTY",
       "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: "
       "1\nAAAA\nPrivate-Lines: 1\n{S}\nPrivate-MAC: 00112233445566778899aabbccddeeff00112233",
       "{647}="},
      {"JWK", "\"kty\":\"EC\",\"crv\":\"P-256\",\"d\":\"{S}\",\"x\":\"a\"", "{B43}"},
      {"openssl -text", "priv:\n    {S}\npub:",
       "00:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}"},
      {"hexdump -C", "{S}", "ghp_{W36}", kHexDump},
      {"xxd", "{S}", "ghp_{W36}", kXxd},
      {"hexdump of a setting", "{S}", "DB_PASSWORD={W20}", kHexDump},
      {"od -c", "{S}", "ghp_{W36}", kOctalDump},
      {"base64 of a setting", "echo {S} | base64 -d", "export API_KEY={W32}", kBase64},
      {"token of Telegram", "BOT_TOKEN={S}", "{D10}:AA{B33}"},
      {"Slack cookie", "Cookie: d={S}", "xoxd-{W60}%2B{W20}"},
      {"seed phrase", "seed phrase: {S}",
       "{L5} {L6} {L4} {L5} {L7} {L5} {L4} {L6} {L5} {L5} {L6} {L4}"},
      {"Ethereum key", "PRIVATE_KEY=0x{S}", "{H64}"},
      {"Bitcoin WIF", "wif: {S}", "5{W50}"},
      {"Ansible vault key", "ansible-vault decrypt --vault-password-file <(echo {S}) x", "{W20}"},
      {"bare output of openssl rand", "$ openssl rand -hex 32\n{S}", "{H64}"},
      {"bare output of pwgen", "$ pwgen -s 20 1\n{S}", "{W20}"},
      {"bare output of pass", "$ pass show db/root\n{S}", "{P20}"},
  };
  return forms;
}

PrintedText MakeUpPrinted(const PrintedSecret& form, int place, std::mt19937_64& random) {
  PrintedText made;
  made.secret = Written(MakeUpSecret(form.shape, random), form.writing);
  made.text = form.text;
  for (size_t at = made.text.find("{S}"); at != made.text.npos; at = made.text.find("{S}", at)) {
    made.text.replace(at, 3, made.secret);
  }
  switch (place) {
    case 0:
      break;
    case 1:
      made.text = "I have run it:\n\n" + LinesMarked(made.text, "    ") + "\nThat is all.\n";
      break;
    case 2:
      made.text = LinesMarked("one\ntwo\n" + made.text + "\nlast\n", "%6zu\t");
      break;
    case 3:
      made.text = R"({"type":"tool_result","content":)" + PrintedJson(made.text) + "}";
      break;
    default:
      made.text =
          R"({"output":)" + PrintedJson(R"({"output":)" + PrintedJson(made.text) + "}") + "}";
  }
  return made;
}

bool TellsSecret(std::string_view text, std::string_view secret) {
  constexpr size_t kTellsMuch = 8;
  for (size_t at = 0; at < secret.size(); ++at) {
    const std::string_view part = secret.substr(at, kTellsMuch);
    const bool whole = part.size() == kTellsMuch || (at == 0 && secret.size() < kTellsMuch);
    if (whole && text.find(part) != text.npos) return true;
  }
  return false;
}

}  // namespace recall
